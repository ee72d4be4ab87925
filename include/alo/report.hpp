// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "alo/dataset.hpp"
#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo {

// Facts about a run that the result does not hold.
struct ReportContext {
  std::string title;         // usually the data file's name
  std::string parameters;    // JSON object text of loss and penalty parameters, e.g. {"mix":0.5}
  bool predictions = false;  // per-row values in the JSON
  bool all_coefficients = false;
};

// The compact table for a terminal, with the minimum and one-se rows marked.
std::string render_table(const Problem& problem, const TuneResult& result, bool color);

// "format": "alo-result/1".
std::string render_json(const Problem& problem, const TuneResult& result, const ReportContext& context);

// Pictures, each a complete SVG document.
std::string render_risk_svg(const Problem& problem, const TuneResult& result);
std::string render_paths_svg(const Problem& problem, const TuneResult& result);
std::string render_leverage_svg(const Problem& problem, const TuneResult& result);

std::string render_html(const Problem& problem, const TuneResult& result, const ReportContext& context);
std::string render_risk_csv(const Problem& problem, const TuneResult& result);
std::string render_coefficients_csv(const Problem& problem, const TuneResult& result);
std::string render_model_json(const Problem& problem, const TuneResult& result, const ReportContext& context);

// Writes result.json, risk.csv, coefficients.csv, model.json, risk.svg, paths.svg, leverage.svg
// and report.html into the folder, each under a temporary name first. Throws OutputError.
void write_report(const std::filesystem::path& folder, const Problem& problem, const TuneResult& result,
                  const ReportContext& context);

// Writes text to a temporary name beside `path` and renames it, so that a reader sees the
// old file or the whole new one. Throws OutputError with the system's reason.
void write_file(const std::filesystem::path& path, const std::string& text);

// A fitted model as kept in model.json.
struct SavedModel {
  struct Point {
    double lambda = 0;
    double intercept = 0;
    Vector coefficients;
  };
  std::string loss;
  std::string penalty;
  std::string response_name;
  std::vector<std::string> column_names;
  std::vector<ColumnSource> sources;
  std::string offset;  // name of the offset column; empty: none
  Rule rule = Rule::minimum;
  Point minimum, one_se;
};
SavedModel read_model(const std::filesystem::path& path);

}  // namespace alo
