// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

std::string_view rule_name(Rule rule);        // min, 1se
std::string_view search_name(Search search);  // grid, exact

// "mean squared error"
std::string_view metric_words(Metric metric);

// "lasso with squared loss"
std::string model_words(const Problem& problem);

// "442 rows x 10 columns"
std::string size_words(const Problem& problem, std::string_view times);

// "7 of 10 coefficients are not zero"
std::string count_words(Index nonzero, Index terms);

// With a kernel a fit has no coefficients of columns: it is an expansion in rows.
bool has_coefficients(const Problem& problem);
// Rows in the expansion of a fit: those whose subgradient is not zero.
Index support_rows(const Fit& fit);
// Columns of the data, and whether they were divided by their standard deviations.
std::vector<std::string> data_columns(const Problem& problem);
bool is_standardized(const Problem& problem);
// "7 of 10 coefficients are not zero", or with a kernel "7 of 20 rows are support vectors"
std::string count_words(const Problem& problem, const PathPoint& point);

// Labels of the classes, in the order of the outputs; of two the one that is -1 first. Empty for a
// response of numbers.
std::vector<std::string> class_labels(const Problem& problem);

// Position of a row's class among them.
Index class_of(const Problem& problem, Index row);

// A term is a coefficient: one per column and output, output after output. "age", or "age (yes)"
// where there are several outputs.
Index term_count(const Problem& problem);
std::string term_name(const Problem& problem, Index term);

// A coefficient times the scale of its column, where that was estimated, so that sizes compare.
double scaled_coefficient(const Problem& problem, const Fit& fit, Index term);

// Whether the estimate can be relied on, in a sentence; and the sentences that say why.
// A response of numbers with an identity design: every row has a coefficient of its own, which is its fit, so
// that paths and tables of single coefficients would say nothing. A matrix is drawn as one.
bool is_signal(const Problem& problem);

// How a fit was found: the name of its method, and the number of the attempt where it is not the first.
std::string method_words(const Fit& fit);
// How many fits of the path missed their certificate at the first attempt; empty where none did.
std::string attempts_sentence(const TuneResult& result);
std::string verdict_headline(const TuneResult& result);
std::vector<std::string> verdict_reasons(const TuneResult& result);

// The curve of the metric that chooses; none when nothing was estimated.
const RiskCurve* choosing_curve(const TuneResult& result);

// Exact leave-one-out was computed at a chosen lambda.
bool is_proved(const std::optional<Selected>& selected);
// The risk of the metric that chooses: exact where it is known, else the approximation.
const Estimate& best_risk(const Selected& selected);

// Both rules chose the same lambda.
bool same_choice(const TuneResult& result);

// The largest gap along the path, of the fits that have one, and the largest kkt.
struct WorstCertificate {
  bool has_gap = false;
  double gap = 0;
  double kkt = 0;
  Index missed = 0;  // fits that missed their tolerance
};
WorstCertificate worst_certificate(const TuneResult& result);

}  // namespace alo::report
