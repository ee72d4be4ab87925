// SPDX-License-Identifier: MIT
#include "pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"
#include "alo/inspect.hpp"
#include "alo/report.hpp"
#include "limits.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "structure.hpp"
#include "wording.hpp"

namespace alo::command {

namespace {

// A limit was reached before there was a result to save.
class LimitReached : public Error {
 public:
  using Error::Error;
};

void print_notes(const std::vector<std::string>& notes, bool quiet) {
  if (quiet) return;
  for (const std::string& note : notes) print_note(note);
}

// Refuses a file that is larger than the limit before reading it.
void check_file_size(const RunOptions& options) {
  if (!options.limits.megabytes || options.file == "-") return;
  std::error_code error;
  const auto size = std::filesystem::file_size(options.file, error);
  if (!error && static_cast<double>(size) / 1e6 > *options.limits.megabytes) {
    throw LimitReached(
        fmt::format("{} has {:.0f} MB, more than --memory-limit {:g}; nothing was read or written",
                    options.file, static_cast<double>(size) / 1e6, *options.limits.megabytes));
  }
}

// A table of one column is most often one whose separator was not recognised.
void check_has_predictors(const Dataset& data, const RunOptions& options) {
  const ReadOptions& read = options.read;
  const bool has_other_columns = !read.drop.empty() || !read.weights.empty() || !read.offset.empty();
  if (read.design != DesignKind::columns || data.columns() > 0 || has_other_columns) return;
  throw InvalidData(fmt::format(
      "{} has one column, which leaves no predictor beside the response; is it separated by something else "
      "than commas, semicolons or tabs?",
      options.file));
}

Dataset read(const RunOptions& options) {
  check_file_size(options);
  try {
    const AllocationLimit limit(options.limits.megabytes);
    Dataset data = read_dataset(options.file, options.read);
    check_has_predictors(data, options);
    return data;
  } catch (const std::bad_alloc&) {
    const bool is_product = options.read.design == DesignKind::rank_one;
    throw LimitReached(fmt::format("not enough memory to read {}{}{}; nothing was written", options.file,
                                   options.limits.megabytes ? " within --memory-limit" : "",
                                   is_product ? ": with --design rank-one every row is a matrix, with the "
                                                "columns of --left times those of --right for entries"
                                              : ""));
  }
}

// The numbers that exact leave-one-out keeps in memory: two copies of the columns it needs and two Gram
// matrices of them.
double exact_numbers(const Problem& problem) {
  const auto n = static_cast<double>(problem.rows());
  const double columns = std::min(static_cast<double>(problem.columns()), 2 * n);
  return 2 * columns * (n + columns);
}

// True for matrix completion: the fit and its leave-one-out work on factors of low rank.
bool is_completion(const Problem& problem) {
  const auto& source = problem.data().matrix;
  return source && source->kind == MatrixRows::entries && problem.penalty().shape();
}

// An estimate of the memory beside the data: coefficients along the path, values per row, which become text
// of three times their size, and the matrices of the leave-one-out formula with min(n, p) + 1 directions,
// all for each output of the loss.
double working_megabytes(const Problem& problem, const TuneOptions& options, bool predictions) {
  const auto n = static_cast<double>(problem.rows());
  const auto outputs = static_cast<double>(problem.outputs());
  const auto p = static_cast<double>(problem.columns()) * outputs;
  const double lambdas =
      options.lambdas.empty() ? options.grid.count : static_cast<double>(options.lambdas.size());
  const double directions = std::min(n * outputs, p) + outputs;
  double numbers = lambdas * (p + 4) + 4 * (n * outputs + p);
  if (!is_completion(problem)) numbers += n * outputs * directions + directions * directions;
  if (predictions) numbers += lambdas * (3 * outputs + 2) * n * 4;
  if (options.exact || options.check_rows || options.choose != ChooseBy::alo) {
    numbers += options.threads * 4 * (n * outputs + p) + exact_numbers(problem);
  }
  if (options.folds > 0)
    numbers += lambdas * n * outputs + static_cast<double>(problem.design().stored_entries());
  if (options.outer_folds > 0) {  // each fold has its rows, its path and its leave-one-out
    TuneOptions part = options;
    part.outer_folds = 0;
    const double each = working_megabytes(problem, part, false) +
                        static_cast<double>(problem.design().stored_entries()) * sizeof(double) / 1e6;
    return numbers * sizeof(double) / 1e6 + std::min(options.threads, options.outer_folds) * each;
  }
  return numbers * sizeof(double) / 1e6;
}

double needed_megabytes(const Problem& problem, const TuneOptions& tune, const OutputOptions& output) {
  return resident_megabytes() + working_megabytes(problem, tune, output.predictions);
}

// Turns off the exact work that nobody asked for where it does not fit into memory.
TuneOptions within_memory(const Problem& problem, const RunOptions& options) {
  TuneOptions tune = options.tune;
  if (!options.limits.megabytes || tune.choose != ChooseBy::automatic || tune.exact) return tune;
  const bool fits = needed_megabytes(problem, tune, options.output) <= *options.limits.megabytes;
  if (!fits) tune.choose = ChooseBy::alo;
  return tune;
}

void check_memory(const Problem& problem, const RunOptions& options) {
  if (!options.limits.megabytes) return;
  const double need = needed_megabytes(problem, within_memory(problem, options), options.output);
  if (need > *options.limits.megabytes) {
    throw LimitReached(
        fmt::format("this run needs about {:.0f} MB, more than --memory-limit {:g}; nothing was written. "
                    "Raise the limit, ask for "
                    "fewer --lambdas or leave columns out",
                    need, *options.limits.megabytes));
  }
}

// Checks that the kernel matrix of all rows and its factor fit into memory.
void check_kernel_memory(const Dataset& data, const RunOptions& options) {
  if (!options.limits.megabytes || !options.model.kernel || *options.model.kernel == KernelKind::linear)
    return;
  const auto n = static_cast<double>(data.rows());
  const double need = resident_megabytes() + 2 * n * n * sizeof(double) / 1e6;
  if (need > *options.limits.megabytes) {
    throw LimitReached(fmt::format(
        "the kernel of {} rows needs about {:.0f} MB, more than --memory-limit {:g}; nothing was written",
        data.rows(), need, *options.limits.megabytes));
  }
}

std::string describe(StopReason reason, const Limits& limits) {
  switch (reason) {
    case StopReason::interrupted:
      return "interrupted";
    case StopReason::time:
      return fmt::format("the time limit of {:g} s was reached", limits.seconds.value_or(0));
    case StopReason::memory:
      return fmt::format("the memory limit of {:g} MB was reached", limits.megabytes.value_or(0));
    case StopReason::none:
      break;
  }
  return "stopped early";
}

void warn_about_certificates(const TuneResult& result, double tolerance) {
  const auto missed = [](const PathPoint& point) { return !is_certified(point.fit.status); };
  const auto count = std::count_if(result.path.begin(), result.path.end(), missed);
  if (count == 0) return;
  const auto first = std::find_if(result.path.begin(), result.path.end(), missed);
  print_warning(fmt::format(
      "the certificate (a gap of at most {:g}) was missed at {} of {} values of lambda, first at {:.4g}; "
      "the numbers there may be off",
      tolerance, count, result.path.size(), first->fit.lambda));
}

// A sentence on what was asked for and is missing from a result that was stopped early.
std::string describe_unfinished(const TuneResult& result, const TuneOptions& asked) {
  std::vector<std::string> parts;
  if (asked.exact && result.risk.front().exact.empty()) parts.emplace_back("exact leave-one-out");
  if (asked.folds > 0 && result.risk.front().kfold.empty()) parts.emplace_back("cross validation");
  if (asked.check_rows && !result.check) parts.emplace_back("the check");
  if (asked.outer_folds > 0 && (!result.outer || !result.outer->complete)) parts.emplace_back("outer folds");
  return parts.empty() ? "" : fmt::format(", without {}", fmt::join(parts, " and "));
}

int exit_code_of(const TuneResult& result, StopReason reason, bool strict) {
  if (!result.complete) {
    return reason == StopReason::interrupted ? exit_code::interrupted : exit_code::limit_reached;
  }
  if (!result.certified) return exit_code::certificate_missed;
  if (strict && !result.verdict.reliable) return exit_code::unreliable;
  return exit_code::ok;
}

// Adds the name of the data file to errors about its data.
template <class Work>
auto naming_file(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (const InvalidData& error) {
    throw InvalidData(fmt::format("{}: {}", file, error.what()), error.hints());
  }
}

TuneResult run_tune(const Model& model, const RunOptions& options, Watch& watch) {
  const Problem& problem = model.problem;
  Progress progress(!options.output.quiet && is_styled(stderr, options.output.no_color));
  Monitor monitor;
  monitor.progress = [&progress](std::string_view stage, double done, double total) {
    progress.update(stage, done, total);
  };
  monitor.should_stop = [&watch] { return watch.should_stop(); };
  TuneOptions tune_options = within_memory(problem, options);
  tune_options.metrics = model.metrics;
  tune_options.keep_rows = options.output.predictions;
  finish_on_signal();
  return naming_file(options.file, [&] { return tune(problem, tune_options, monitor); });
}

void write_results(const RunOptions& options, const ModelSettings& settings, const Model& model,
                   const TuneResult& result, const View& view) {
  const Problem& problem = model.problem;
  ReportContext context;
  context.title =
      options.file == "-" ? "standard input" : std::filesystem::path(options.file).filename().string();
  context.parameters = parameters_json(settings, model);
  context.offset = options.read.offset;
  context.predictions = options.output.predictions;
  context.all_coefficients = options.output.all_coefficients;
  context.wording = in_options;
  {
    const SignalPause pause;
    if (!options.output.folder.empty()) write_report(options.output.folder, problem, result, context);
    if (!options.output.json.empty() && options.output.json != "-") {
      write_file(options.output.json, render_json(problem, result, context));
    }
  }
  if (options.output.json == "-") {
    write_stdout(render_json(problem, result, context));
  } else {
    write_stdout(view(problem, result, is_styled(stdout, options.output.no_color)));
  }
  if (!options.output.folder.empty() && !options.output.quiet) {
    print_note(fmt::format("the report is {}",
                           (std::filesystem::path(options.output.folder) / "report.html").string()));
  }
}

int run_checked(const RunOptions& options, const View& view) {
  Watch watch(options.limits);
  std::vector<std::string> inputs = {options.file, options.read.response_file, options.read.left_file,
                                     options.read.right_file};
  for (std::string& file : model_files(options)) inputs.push_back(std::move(file));
  const Destination destination(options.output, inputs);
  const auto start = std::chrono::steady_clock::now();
  Dataset data = read(options);
  const double read_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print_notes(data.notes, options.output.quiet);
  check_kernel_memory(data, options);
  const ModelSettings settings = with_model_files(options, data);
  const Model model = make_model(settings, std::move(data), options.tune.metrics, in_option);
  const Problem& problem = model.problem;
  print_notes(model.notes, options.output.quiet);
  print_notes(inspect(problem), options.output.quiet);
  check_memory(problem, options);

  TuneResult result = run_tune(model, options, watch);
  result.timing.read_s = read_seconds;
  for (const Message& warning : result.warnings) print_warning(in_options(warning));
  warn_about_certificates(result, options.tune.fit.tolerance);
  const int code = exit_code_of(result, watch.reason(), options.strict);
  if (!result.complete) {
    const std::string reason = describe(watch.reason(), options.limits);
    if (result.path.empty()) {
      print_error(reason + " before any result was finished; nothing was written");
      return code;
    }
    print_warning(fmt::format("{}; the result holds the {} values of lambda that were finished{}", reason,
                              result.path.size(), describe_unfinished(result, options.tune)));
  }
  write_results(options, settings, model, result, view);
  if (code == exit_code::unreliable) {
    std::vector<std::string> reasons;
    for (const Message& reason : result.verdict.reasons) reasons.push_back(in_options(reason));
    print_error(fmt::format("--strict: the estimate is not reliable: {}", fmt::join(reasons, "; ")));
  }
  return code;
}

}  // namespace

std::string view_table(const Problem& problem, const TuneResult& result, bool color) {
  return render_table(problem, result, color, in_options);
}

int run_pipeline(const RunOptions& given, const View& view) {
  const RunOptions options = with_derived_settings(given);
  check_conflicts(options);
  try {
    return run_checked(options, view);
  } catch (const LimitReached& error) {
    print_error(in_options(error.message()));
    return exit_code::limit_reached;
  }
}

}  // namespace alo::command
