// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alo/dataset.hpp"
#include "alo/message.hpp"
#include "alo/problem.hpp"
#include "alo/read.hpp"
#include "alo/registry.hpp"
#include "alo/tune.hpp"

namespace alo {

// Facts about a run that its result does not contain.
struct ReportContext {
  std::string title;         // usually the data file's name
  std::string parameters;    // JSON object text of loss and penalty parameters, e.g. {"mix":0.5}
  std::string offset;        // name of the offset column; empty: none
  bool predictions = false;  // per-row values in the JSON
  // Write the coefficients at every lambda also where a fit has more than 10^6 of them, or a path 10^7.
  bool all_coefficients = false;
  Wording wording;  // of warnings and reasons; empty: their text
};

// True when a model can be saved: a lambda was chosen, or there is only one.
bool has_model(const TuneResult& result);

// The compact table for a terminal, with the minimum and one-se rows marked.
std::string render_table(const Problem& problem, const TuneResult& result, bool color,
                         const Wording& wording = {});

// The result as JSON, "format": "alo-result/1" (docs/result.md).
std::string render_json(const Problem& problem, const TuneResult& result, const ReportContext& context);

// Pictures, each a complete SVG document.
std::string render_risk_svg(const Problem& problem, const TuneResult& result);
std::string render_paths_svg(const Problem& problem, const TuneResult& result);
std::string render_leverage_svg(const Problem& problem, const TuneResult& result);

std::string render_html(const Problem& problem, const TuneResult& result, const ReportContext& context);
std::string render_risk_csv(const Problem& problem, const TuneResult& result);
std::string render_coefficients_csv(const Problem& problem, const TuneResult& result,
                                    const ReportContext& context = {});
// Throws InvalidData unless has_model().
std::string render_model_json(const Problem& problem, const TuneResult& result, const ReportContext& context);

// Writes result.json, risk.csv, coefficients.csv, model.json, risk.svg, paths.svg, leverage.svg and
// report.html into the folder, each by write_file; the folder is made if need be. With a kernel there are
// no coefficients.csv and paths.svg. With an identity design signal.svg replaces paths.svg, with a matrix
// of coefficients matrix.svg does. Without a chosen lambda there is no model.json (has_model). Files of an
// earlier run that are not written again are removed. Throws OutputError.
void write_report(const std::filesystem::path& folder, const Problem& problem, const TuneResult& result,
                  const ReportContext& context);

// Writes the text to a temporary file beside `path` and renames that file, so that a reader sees either the
// old file or the whole new one. A device or a pipe is written to directly. Throws OutputError with the
// system's reason and leaves no partial file.
void write_file(const std::filesystem::path& path, const std::string& text);

// A fitted model as model.json stores it.
struct SavedModel {
  struct Point {
    double lambda = 0;
    Vector intercept;     // one per output
    Vector coefficients;  // output after output; with a kernel, one per row of the expansion
  };
  // For a model with a kernel: f(z) = b0 + sum_j a_j k(x_j, z), over the rows x_j whose a_j is not zero.
  struct Expansion {
    Kernel kernel;
    Vector scale;  // of the columns; empty: ones
    Matrix rows;
  };
  std::string loss;
  std::string penalty;
  ModelParameters parameters;  // of the loss
  std::string response_name;
  std::vector<std::string> classes;  // labels; empty for a numeric response
  std::vector<std::string> column_names;
  std::vector<ColumnSource> sources;
  std::optional<MatrixSource>
      matrix;              // set where the columns are the entries of a matrix; these have no other names
  bool is_signal = false;  // true where every training row had its own coefficient
  std::string offset;      // name of the offset column; empty: none
  std::optional<Expansion> expansion;
  Rule rule = Rule::minimum;
  Point minimum, one_se;
};
// Throws InvalidData for a file that cannot be read or is not a complete model.
SavedModel read_model(const std::filesystem::path& path);
// The same from the text of such a file; messages call it `source`.
SavedModel parse_model(const std::string& text, const std::string& source);

enum class PredictionType {
  link,      // the linear predictor
  response,  // on the scale of the response: the mean, or the probability of +1 or of each class
  label,     // the label of the predicted class
};

// The predictions for new rows, one column per output; for labels one column with their positions in
// SavedModel::classes, -1 where a row's linear predictor is not finite. Throws InvalidArgument when labels
// are asked of a model without classes.
Matrix predict(const SavedModel& model, Rule at, const NewData& data, PredictionType type);
// The same where the loss is not one of the registry's.
Matrix predict(const SavedModel& model, const Loss& loss, Rule at, const NewData& data, PredictionType type);

// The same as CSV with one line per row under a heading: "prediction", or with several outputs one column per
// class, named link:LABEL or probability:LABEL.
std::string render_predictions_csv(const SavedModel& model, Rule at, const NewData& data,
                                   PredictionType type);
// The same where the loss is not one of the registry's.
std::string render_predictions_csv(const SavedModel& model, const Loss& loss, Rule at, const NewData& data,
                                   PredictionType type);

}  // namespace alo
