// SPDX-License-Identifier: MIT
// Logistic lassos of two studies and a support vector machine of handwritten digits.
#include "experiment.hpp"

#include <fmt/format.h>

#include "alo/classes.hpp"
#include "alo/losses/hinge.hpp"
#include "alo/losses/logistic.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/ridge.hpp"
#include "cases.hpp"
#include "plain.hpp"
#include "studies.hpp"

namespace paper {

namespace {

namespace fs = std::filesystem;
using alo::Index;

struct Study {
  std::string name, title, file, source;
  std::function<alo::Dataset(const fs::path& data, Index most_rows)> read;
  bool machine = false;  // a support vector machine; otherwise a logistic lasso
};

const std::vector<Study> studies = {
    {"heart", "South African heart disease", "saheart/SAheart.data",
     "hastie.su.domains/ElemStatLearn, Data, South African Heart Disease",
     [](const fs::path& data, Index) { return read_heart(data); }, false},
    {"colon", "Colon tumour", "colon/colon.csv", "Alon and others, PNAS 96 (1999), with colon_genes.csv",
     [](const fs::path& data, Index) { return read_colon(data); }, false},
    {"digits", "Digits 4 and 9", "mnist49/mnist_t10k_4v9.csv.gz", "the digits 4 and 9 of MNIST's test set",
     read_digits, true},
    {"gisette", "Gisette", "gisette/gisette_train.data",
     "archive.ics.uci.edu, Gisette, with gisette_train.labels", read_gisette, true},
};

Json run_study(const Study& study, const Context& context) {
  alo::Dataset data = study.read(context.data, context.quick ? 200 : 1000);
  alo::code_response(data, alo::ResponseKind::two_classes);
  const Index rows = data.rows(), columns = data.columns();
  const alo::Problem problem = study.machine
                                   ? compare::plain_problem(std::move(data), alo::HingeLoss{}, alo::Ridge{})
                                   : alo::Problem(std::move(data), alo::LogisticLoss{}, alo::Lasso{});
  CurveOptions options;
  options.metrics = {alo::Metric::misclassification,
                     study.machine ? alo::Metric::hinge : alo::Metric::deviance};
  options.lambdas = study.machine
                        ? falling(1e4, 1e-1, context.quick ? 8 : 30)
                        : alo::lambda_grid(problem, {context.quick ? 8 : 40, columns > rows ? 0.05 : 1e-3});
  options.threads = context.threads;
  Json record = trace(problem, options);
  record["rows"] = rows;
  record["columns"] = columns;
  return record;
}

}  // namespace

Outcome real_data(Context& context) {
  Outcome outcome;
  context.records.begin("real-data", studies.size());
  Table table = agreement_table("agreement", {"study", "rows × columns", "risk"});
  std::vector<Panel> panels;
  for (const Study& study : studies) {
    if (!fs::exists(context.data / study.file)) {
      outcome.skipped.push_back(fmt::format(
          "{}: needs {} in the folder that --data names ({}; experiments/real-data/README.md has its format)",
          study.title, study.file, study.source));
      continue;
    }
    const Case one{study.name, study.title, [&](std::uint64_t) { return run_study(study, context); }};
    const CaseResult result = run_case(context, one, 1);
    const Json& record = result.records.front();
    for (const std::string metric : {"misclassification", study.machine ? "hinge" : "deviance"}) {
      const Agreements agreements = result.agreements(metric);
      add_line(table,
               {study.title,
                fmt::format("{} × {}", record["rows"].get<Index>(), record["columns"].get<Index>()), metric},
               agreements);
      add_claims(outcome, study.title + ", " + metric, agreements);
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
