// SPDX-License-Identifier: MIT
// Which file is read, and how.
#include <limits>

#include "options.hpp"
#include "values.hpp"

namespace alo::command {

namespace {

// A bound that only keeps the number within an int.
constexpr std::uint64_t most_lines = std::numeric_limits<int>::max();

FileFormat parse_format(const std::string& text) {
  return parse_word<FileFormat>("--format", text,
                                {{"csv", FileFormat::csv},
                                 {"tsv", FileFormat::tsv},
                                 {"libsvm", FileFormat::libsvm},
                                 {"npy", FileFormat::npy},
                                 {"mtx", FileFormat::matrix_market},
                                 {"triplets", FileFormat::triplets}});
}

DesignKind parse_design(const std::string& text) {
  return parse_word<DesignKind>("--design", text,
                                {{"columns", DesignKind::columns},
                                 {"identity", DesignKind::identity},
                                 {"triplets", DesignKind::triplets},
                                 {"rank-one", DesignKind::rank_one}});
}

}  // namespace

void add_format_options(CLI::App& app, ReadOptions& read, bool can_drop_rows) {
  add_word(app, "--format", "F",
           "csv, tsv, libsvm, npy, mtx (default: by the file's name), or triplets: --design triplets",
           [&read](const std::string& text) { read.format = parse_format(text); })
      ->group("Data");
  add_word(app, "--skip", "N", "lines to ignore at the top (default 0)", [&read](const std::string& text) {
    read.skip = static_cast<Index>(parse_count("--skip", text, 0, most_lines));
  })->group("Data");
  Words<MissingPolicy> policies = {{"refuse", MissingPolicy::refuse}, {"mean", MissingPolicy::mean}};
  if (can_drop_rows) policies.emplace_back("drop-rows", MissingPolicy::drop_rows);
  add_word(
      app, "--missing", "M",
      can_drop_rows ? "missing values: refuse (default), drop-rows or mean"
                    : "missing values: refuse (default) or mean",
      [&read, policies](const std::string& text) { read.missing = parse_word("--missing", text, policies); })
      ->group("Data");
}

void add_factor_options(CLI::App& app, ReadOptions& read) {
  add_word(app, "--left", "FILE", "rank-one: rows a of the design a b', one per row of the response",
           [&read](const std::string& text) { read.left_file = text; })
      ->group("Data");
  add_word(app, "--right", "FILE", "rank-one: rows b of the design", [&read](const std::string& text) {
    read.right_file = text;
  })->group("Data");
}

void add_data_options(CLI::App& app, RunOptions& options) {
  ReadOptions& read = options.read;
  app.add_option("FILE", options.file, "data, one row per observation; '-' is stdin")
      ->required()
      ->type_name("");
  const auto add = [&app](const std::string& name, const std::string& value_name, const std::string& text,
                          std::function<void(const std::string&)> set) {
    add_word(app, name, value_name, text, std::move(set))->group("Data");
  };
  add("--target", "NAME|INDEX", "response column (default: the last)",
      [&read](const std::string& text) { read.target = text; });
  add("--response", "FILE", "file with the response, for formats without one (npy, mtx)",
      [&read](const std::string& text) { read.response_file = text; });
  add("--drop", "NAME[,NAME...]", "columns to leave out",
      [&read](const std::string& text) { read.drop = parse_list("--drop", text); });
  add("--weights", "NAME", "column of observation weights",
      [&read](const std::string& text) { read.weights = text; });
  add("--weights-are", "KIND", "importance (default), or frequency: the number of copies",
      [&options](const std::string& text) {
        options.read.weight_kind = parse_word("--weights-are", text, weight_kinds());
        options.weight_kind_given = true;
      });
  add("--offset", "NAME", "column added to the linear predictor",
      [&read](const std::string& text) { read.offset = text; });
  add("--design", "D",
      "columns (default): the file's columns are the predictors; identity: the target is a signal; triplets: "
      "the file's rows are row, column and value of a matrix; rank-one: see --left",
      [&options](const std::string& text) {
        options.read.design = parse_design(text);
        options.design_given = true;
      });
  add_factor_options(app, read);
  add_format_options(app, read, true);
}

}  // namespace alo::command
