// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

std::string_view rule_name(Rule rule);  // min, 1se
std::string_view search_name(Search search);
std::string_view choose_name(ChooseBy choose);  // grid, exact

// "mean squared error"
std::string_view metric_words(Metric metric);

// "lasso with squared loss"
std::string model_words(const Problem& problem);

// "442 rows x 10 columns"
std::string size_words(const Problem& problem, std::string_view times);

// "7 of 10 coefficients are not zero"
std::string count_words(Index nonzero, Index terms);

// True when the fit has a coefficient per column. A fit with a kernel is an expansion in rows instead.
bool has_coefficients(const Problem& problem);
// The number of rows in the expansion of a fit, those whose subgradient is not zero.
Index support_rows(const Fit& fit);
// The names of the data columns, and whether they were divided by their standard deviations.
std::vector<std::string> data_columns(const Problem& problem);
bool is_standardized(const Problem& problem);
// "7 of 10 coefficients are not zero", or with a kernel "7 of 20 rows are support vectors"
std::string count_words(const Problem& problem, const PathPoint& point);

// The labels of the classes in the order of the outputs; with two classes, that of -1 first. Empty for a
// numeric response.
std::vector<std::string> class_labels(const Problem& problem);

// The position of a row's class among these labels.
Index class_of(const Problem& problem, Index row);

// A term is a coefficient: one per column and output, output after output. Its name is "age", or "age
// (yes)" with several outputs.
Index term_count(const Problem& problem);
std::string term_name(const Problem& problem, Index term);

// A coefficient times the scale of its column, if the problem standardises, so that sizes are comparable.
double scaled_coefficient(const Problem& problem, const Fit& fit, Index term);

// True for a numeric response with an identity design. Each row then has its own coefficient, which is its
// fit, so that paths and tables of single coefficients would be useless. A matrix of coefficients is not a
// signal.
bool is_signal(const Problem& problem);

// How a fit was found: the name of the method, and the number of the attempt unless it is the first.
std::string method_words(const Fit& fit);
// A sentence on the number of fits that missed their certificate at the first attempt; empty where none did.
std::string attempts_sentence(const TuneResult& result);

// A sentence on why a generated path was ended before its last lambda; empty where it was not.
std::string path_end_sentence(const TuneResult& result);

// A message as a front end says it.
std::string say(const Message& message, const Wording& wording);
std::vector<std::string> say_all(const std::vector<Message>& messages, const Wording& wording);

// Whether the estimate can be relied on, in a sentence; and the sentences that say why.
std::string verdict_headline(const TuneResult& result);
std::vector<std::string> verdict_reasons(const TuneResult& result, const Wording& wording);

// "Tuned and judged on 10 outer folds: mean squared error 3012 \u00b1 180."; empty where they were not asked
// for.
std::string outer_sentence(const TuneResult& result);
// That the risk at the chosen lambda is the best of many and so too good on average, and where the error of
// the whole procedure is: the outer folds, or how to get them.
std::string honesty_sentence(const TuneResult& result, const Wording& wording);

// The risk curve of the metric that chooses lambda; null when nothing was estimated.
const RiskCurve* choosing_curve(const TuneResult& result);

// True when exact leave-one-out was computed at the chosen lambda.
bool is_proved(const std::optional<Selected>& selected);
// The risk in the metric that chooses: the exact one where it is known, else the approximation.
const Estimate& best_risk(const Selected& selected);
// Whether some estimate of the curve differs from the approximation.
bool has_better_than_alo(const RiskCurve& curve);
// Whether the estimates of the curve are of several kinds.
bool has_kinds(const RiskCurve& curve);
// A sentence on what chose lambda.
std::string chooser_sentence(const TuneResult& result);

// True when both rules chose the same lambda.
bool same_choice(const TuneResult& result);

// The largest duality gap along the path, over the fits that have one, and the largest KKT residual.
struct WorstCertificate {
  bool has_gap = false;
  double gap = 0;
  double kkt = 0;
  Index missed = 0;  // fits that missed their tolerance
};
WorstCertificate worst_certificate(const TuneResult& result);

}  // namespace alo::report
