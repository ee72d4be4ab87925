// SPDX-License-Identifier: MIT
// Logistic lassos of two studies and a support vector machine of handwritten digits.
#include "experiment.hpp"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "alo/classes.hpp"
#include "alo/losses/hinge.hpp"
#include "alo/losses/logistic.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/read.hpp"
#include "cases.hpp"
#include "plain.hpp"

namespace paper {

namespace {

namespace fs = std::filesystem;
using alo::Index;

constexpr Index digit_rows = 1000;

alo::Dataset read_heart(const fs::path& data) {
  alo::ReadOptions options;
  options.format = alo::FileFormat::csv;
  options.drop = {"row.names"};
  return alo::read_dataset((data / "saheart/SAheart.data").string(), options);
}

// The first column of each accession number: 1909 of 2000.
alo::Dataset read_colon(const fs::path& data) {
  alo::ReadOptions options;
  options.target = "tumor";
  std::ifstream genes(data / "colon/colon_genes.csv");
  std::string line;
  std::getline(genes, line);  // column,id,accession,hsa,first_of_accession,identical_to_earlier_column
  while (std::getline(genes, line)) {
    std::istringstream fields(line);
    std::vector<std::string> values;
    for (std::string field; std::getline(fields, field, ',');) values.push_back(field);
    if (values.at(4) == "0") options.drop.push_back(values[1]);
  }
  return alo::read_dataset((data / "colon/colon.csv").string(), options);
}

// The first rows.
alo::Dataset head(const alo::Matrix& values, const alo::Vector& response, double scale) {
  const Index rows = std::min(digit_rows, values.rows());
  return alo::make_dataset(alo::Design(alo::Matrix(values.topRows(rows) / scale)), response.head(rows));
}

alo::Dataset read_digits(const fs::path& data) {
  alo::ReadOptions options;
  options.target = "y";
  const alo::Dataset all = alo::read_dataset((data / "mnist49/mnist_t10k_4v9.csv.gz").string(), options);
  return head(all.design.dense_values(), all.response, 255);
}

// 5000 numbers a row from 0 to 999, and labels in a file of their own.
alo::Dataset read_gisette(const fs::path& data) {
  std::ifstream values(data / "gisette/gisette_train.data"), labels(data / "gisette/gisette_train.labels");
  alo::Matrix design(digit_rows, 5000);
  alo::Vector response(digit_rows);
  for (Index i = 0; i < digit_rows; ++i) {
    for (Index j = 0; j < design.cols(); ++j) values >> design(i, j);
    labels >> response[i];
  }
  if (!values || !labels)
    throw std::runtime_error("gisette_train.data and .labels: 1000 rows of 5000 numbers were expected");
  return head(design, response, 999);
}

struct Study {
  std::string name, title, file, source;
  alo::Dataset (*read)(const fs::path&);
  bool machine = false;  // a support vector machine, else a logistic lasso
};

const std::vector<Study> studies = {
    {"heart", "South African heart disease", "saheart/SAheart.data",
     "the data of the book The Elements of Statistical Learning, SAheart.data", read_heart, false},
    {"colon", "Colon tumour", "colon/colon.csv", "the data of Alon and others (1999), with colon_genes.csv",
     read_colon, false},
    {"digits", "Digits 4 and 9", "mnist49/mnist_t10k_4v9.csv.gz", "the digits 4 and 9 of MNIST's test set",
     read_digits, true},
    {"gisette", "Gisette", "gisette/gisette_train.data",
     "UCI Machine Learning Repository, Gisette, with gisette_train.labels", read_gisette, true},
};

Json run_study(const Study& study, const Context& context) {
  alo::Dataset data = study.read(context.data);
  alo::code_response(data, alo::ResponseKind::two_classes);
  const Index rows = data.rows(), columns = data.columns();
  const alo::Problem problem = study.machine
                                   ? compare::plain_problem(std::move(data), alo::HingeLoss{}, alo::Ridge{})
                                   : alo::Problem(std::move(data), alo::LogisticLoss{}, alo::Lasso{});
  CurveOptions options;
  options.metrics = {alo::Metric::misclassification,
                     study.machine ? alo::Metric::hinge : alo::Metric::deviance};
  options.lambdas =
      study.machine ? falling(1e4, 1e-1, 30) : alo::lambda_grid(problem, {40, columns > rows ? 0.05 : 1e-3});
  options.threads = context.threads;
  Json record = trace(problem, options);
  record["rows"] = rows;
  record["columns"] = columns;
  return record;
}

}  // namespace

Outcome real_data(Context& context) {
  Outcome outcome;
  if (context.quick) return outcome;  // small versions do without data
  context.records.begin("real-data", studies.size());
  Table table = agreement_table("agreement", {"study", "rows × columns", "risk"});
  std::vector<Panel> panels;
  for (const Study& study : studies) {
    if (!fs::exists(context.data / study.file)) {
      outcome.skipped.push_back(fmt::format("{}: needs {} in the folder that --data names ({})", study.title,
                                            study.file, study.source));
      continue;
    }
    const Case one{study.name, study.title, [&](std::uint64_t) { return run_study(study, context); }};
    const CaseResult result = run_case(context, one, 1);
    const Json& record = result.records.front();
    for (const std::string metric : {"misclassification", study.machine ? "hinge" : "deviance"}) {
      add_line(table,
               {study.title,
                fmt::format("{} × {}", record["rows"].get<Index>(), record["columns"].get<Index>()), metric},
               result.agreements(metric));
    }
    panels.push_back(result.panel(study.title, "misclassification"));
  }
  if (panels.empty()) return outcome;
  outcome.tables.push_back(std::move(table));
  outcome.figures.push_back({"misclassification.svg",
                             draw_panels(panels, {"Real data", "Held-out misclassification against lambda.",
                                                  "λ", "Held-out misclassification", "real-data"}),
                             "Share of rows in the wrong class, held out."});
  return outcome;
}

}  // namespace paper
