// SPDX-License-Identifier: MIT
#pragma once

#include "alo/loss.hpp"
#include "completion/factored_loss.hpp"

// Matrix completion on full matrices, slowly and by other means than the solver: accelerated proximal
// gradient steps, each with a dense singular value decomposition.
namespace alo::testing_support {

struct CompletionCase {
  CompletionData data;
  Loss loss;
  bool intercept = false;
};

struct DenseCompletion {
  Matrix matrix;
  double intercept = 0.0;
  double objective = 0.0;
};

// Numbers at the entries, added up where several observations are at one place.
Matrix as_matrix(const CompletionData& data, const Vector& numbers);
Vector dense_predictor(const CompletionCase& given, const Matrix& matrix, double intercept);
double dense_objective(const CompletionCase& given, double lambda, const Matrix& matrix, double intercept);
DenseCompletion dense_fit(const CompletionCase& given, double lambda);

enum class LossChoice { squared, logistic, poisson, huber };
// Observations at places that may coincide, of a matrix of rank 2 with noise, weights in [0.5, 1.5] and small
// offsets.
CompletionCase random_case(Index rows, Index columns, Index count, LossChoice loss, bool intercept,
                           unsigned seed);

}  // namespace alo::testing_support
