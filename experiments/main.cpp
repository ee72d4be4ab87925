// SPDX-License-Identifier: MIT
// Runs the experiments of the paper; script/paper builds and calls it. See experiments/README.md.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "publish.hpp"
#include "stopwatch.hpp"

namespace paper {

namespace {

const std::vector<Experiment> experiments = {
    {"figure-1", "Figure 1: five folds, ALO and the error outside the sample",
     "With as many coefficients as this, five folds are biased: they fit to four fifths of the rows. ALO is "
     "on the curve of the error outside the sample.",
     figure_1},
    {"figure-2a", "Figure 2a: support vector machines, fused lasso, nuclear norm",
     "ALO is on the curve of exact leave-one-out for losses and penalties that are not smooth.", figure_2a},
    {"figure-2b", "Figure 2b: the lasso under misspecification, heavy tails and correlation",
     "ALO is on the curve of exact leave-one-out where the model is wrong, the noise has heavy tails or the "
     "columns are correlated.",
     figure_2b},
    {"table-1", "Table 1: times",
     "A path with ALO takes at most twice the time of the path; exact leave-one-out hundreds.", table_1,
     true},
    {"theorems", "The theorems in numbers",
     "The primal and the dual formula give the same numbers, and the formulas for kinks are limits of those "
     "for smooth "
     "functions.",
     theorems},
    {"real-data", "Real data", "ALO and exact leave-one-out on published data.", real_data},
    {"beyond", "Beyond the paper",
     "The minimum between the values of a grid; where ALO fails, what warns of it, and how few exact rows "
     "repair it.",
     beyond},
};

struct Options {
  bool quick = false;
  bool fresh = false;
  std::filesystem::path source = ALO_SOURCE_DIR;
  std::filesystem::path out;  // figures, READMEs, the page
  std::filesystem::path records;
  std::filesystem::path data;
  std::vector<std::string> only;
  std::string revision;
  int threads = 1;
};

constexpr const char* usage =
    "script/paper [--quick] [--fresh] [--only NAME]... [--data FOLDER] [--threads N] [--out FOLDER]\n"
    "             [--records FOLDER] [--revision NAME]\n\n"
    "  --quick    small versions, which the tests run; results in build/paper/quick\n"
    "  --fresh    forget what an earlier run has finished of the experiments that are run\n"
    "  --only     one experiment by the name of its folder; may be given again\n"
    "  --data     folder of the published studies (default ../shared/data, or ALO_DATA)\n"
    "  --out      where figures, tables and report.html go (default experiments)\n"
    "  --revision of the sources, which the records name beside the version\n";

Options parse(const std::vector<std::string>& words) {
  Options options;
  const char* named = std::getenv("ALO_DATA");
  options.data = named ? std::filesystem::path(named) : options.source / "../shared/data";
  for (std::size_t k = 0; k < words.size(); ++k) {
    const auto value = [&] {
      if (k + 1 == words.size()) throw std::runtime_error(words[k] + " needs a value");
      return words[++k];
    };
    if (words[k] == "--quick")
      options.quick = true;
    else if (words[k] == "--fresh")
      options.fresh = true;
    else if (words[k] == "--only")
      options.only.push_back(value());
    else if (words[k] == "--data")
      options.data = value();
    else if (words[k] == "--out")
      options.out = value();
    else if (words[k] == "--records")
      options.records = value();
    else if (words[k] == "--revision")
      options.revision = value();
    else if (words[k] == "--threads")
      options.threads = std::stoi(value());
    else
      throw std::runtime_error("unknown option " + words[k] + "\n\n" + usage);
  }
  const std::filesystem::path build = options.source / "build/paper";
  if (options.out.empty()) options.out = options.quick ? build / "quick" : options.source / "experiments";
  if (options.records.empty()) options.records = options.quick ? options.out / "records" : build / "records";
  return options;
}

bool is_wanted(const Options& options, const std::string& name) {
  return options.only.empty() ||
         std::find(options.only.begin(), options.only.end(), name) != options.only.end();
}

void check_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::none_of(experiments.begin(), experiments.end(),
                     [&](const Experiment& e) { return e.name == name; })) {
      throw std::runtime_error("there is no experiment " + name);
    }
  }
}

// The experiments to run, in order: those with timings first, the others as in the paper.
std::vector<std::size_t> order_of(const Options& options) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < experiments.size(); ++k) {
    if (is_wanted(options, experiments[k].name)) order.push_back(k);
  }
  std::stable_partition(order.begin(), order.end(), [](std::size_t k) { return experiments[k].timed; });
  return order;
}

// Prints claims and checks; returns true when every check holds.
bool say(const Experiment& experiment, const Outcome& outcome) {
  bool all_hold = true;
  for (const std::string& reason : outcome.skipped) fmt::print("{}: not run: {}\n", experiment.name, reason);
  for (const Claim& claim : outcome.claims) {
    const std::vector<std::string> cells = claim_cells(claim);
    fmt::print("{}: {} [{}] {}: {}\n", experiment.name, cells[0], cells[1], cells[2], cells[3]);
  }
  for (const Bound& check : outcome.checks) {
    fmt::print("{}: check: {}{}\n", experiment.name, in_words(check), check.holds() ? "" : ": DOES NOT HOLD");
    all_hold = all_hold && check.holds();
  }
  return all_hold;
}

// A style for tables and pairs of panels, which are wider than those of a result.
constexpr std::string_view wide_style =
    "<style>main{max-width:76rem}p,ul{max-width:46rem}figure svg[width=\"1152\"]{max-width:60rem}"
    "th{white-space:normal;vertical-align:bottom}td:first-child{min-width:9rem}</style>\n";

// Writes the page of all experiments, in the order of the paper.
void write_page(const Options& options, const std::vector<Finished>& finished) {
  alo::report::Page page;
  for (const Finished& one : finished) add_section(page, *one.experiment, one.outcome);
  page.heading("What the paper says, and what was measured");
  page.table(verdict_table(finished));
  page.heading("Where the numbers come from");
  page.table(provenance_table(finished));
  std::string document = page.document("Approximate leave-one-out: the paper's figures and tables",
                                       options.quick ? "Small versions." : "As the paper describes them.");
  document.insert(document.find("</head>"), wide_style);
  write_file(options.out / "report.html", document);
}

// Runs everything; returns true when every check holds.
bool run(const Options& options) {
  check_names(options.only);
  const std::vector<std::size_t> order = order_of(options);
  if (options.fresh || options.quick) {
    for (const std::size_t k : order) std::filesystem::remove_all(options.records / experiments[k].name);
  }
  Records records(options.records, options.revision.empty()
                                       ? "alo " ALO_VERSION
                                       : fmt::format("alo {} ({})", ALO_VERSION, options.revision));
  Context context{records, options.quick, options.data, options.source, options.threads};
  std::vector<Finished> finished;
  bool all_hold = true;
  for (const std::size_t k : order) {
    const Experiment& experiment = experiments[k];
    finished.push_back({&experiment, experiment.run(context), records.provenance()});
    publish(finished.back().outcome, options.source, experiment.name, options.out / experiment.name);
    all_hold = say(experiment, finished.back().outcome) && all_hold;
    std::fflush(stdout);  // before the progress of the next experiment, which goes to stderr
  }
  std::sort(finished.begin(), finished.end(),
            [](const Finished& a, const Finished& b) { return a.experiment < b.experiment; });
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments) names.push_back(experiment.name);
  publish_front(finished, names, options.source, options.out);
  write_page(options, finished);
  fmt::print("{:.1f} min of processor time; results in {}\n", compare::processor_seconds() / 60,
             (options.out / "report.html").lexically_normal().string());
  return all_hold;
}

}  // namespace

}  // namespace paper

int main(int count, char** arguments) {
  try {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) {
      fmt::print("{}", paper::usage);
      return 0;
    }
    return paper::run(paper::parse(words)) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "paper: {}\n", error.what());
    return 2;
  }
}
