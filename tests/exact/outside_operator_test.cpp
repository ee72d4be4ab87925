// SPDX-License-Identifier: MIT
// Penalties lambda |D b|_1 that are not the library's own: a model from outside shows its D, and is solved
// for, certified and left out as a generalised lasso is.
#include <gtest/gtest.h>

#include "alo/analysis_operator.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::max_difference;
using testing_support::RandomProblem;

SparseMatrix ring_matrix(Index columns) {
  Matrix rows = Matrix::Zero(columns, columns);
  for (Index k = 0; k < columns; ++k) {
    rows(k, k) = -1.0;
    rows(k, (k + 1) % columns) = 1.5;
  }
  return rows.sparseView();
}

// Weighted differences around a ring. Nothing but the matrix is said: its null space is that of zero alone.
class Ring final : public AnalysisOperator {
 public:
  explicit Ring(Index columns) : AnalysisOperator(ring_matrix(columns), SparseMatrix(columns, 0)) {}
};

// The identity, with all of its structure said by the outsider.
class Identity final : public AnalysisOperator, public RightInverse {
 public:
  explicit Identity(Index columns) : AnalysisOperator(unit_matrix(columns), SparseMatrix(columns, 0)) {}
  const RightInverse* right_inverse() const override { return this; }
  Matrix multiply(const MatrixView& terms) const override { return terms; }
  Matrix transpose_multiply(const MatrixView& slopes) const override { return slopes; }
  Matrix multiply_design(const Design& design) const override {
    return design.multiply_columns(Matrix(matrix()));
  }

 private:
  static SparseMatrix unit_matrix(Index columns) {
    SparseMatrix result(columns, columns);
    result.setIdentity();
    return result;
  }
};

// Another type than the library's penalty.
class Outside : public GeneralizedLasso {
 public:
  explicit Outside(std::shared_ptr<const AnalysisOperator> analysis)
      : GeneralizedLasso(std::move(analysis), "outside") {}
};
static_assert(PenaltyModel<Outside>);

void expect_same_fits(const RandomProblem& p, const Penalty& ours, const Penalty& theirs) {
  const Problem known(p.dataset(), p.make_loss_model(), ours, {});
  const Problem outside(p.dataset(), p.make_loss_model(), theirs, {});
  const double lambda = 0.3 * lambda_start(known);
  EXPECT_NEAR(lambda_start(outside), lambda_start(known), 1e-7 * lambda_start(known)) << p.loss;
  const Fit expected = fit_path(known, {lambda}).fits.at(0);
  const Fit found = fit_path(outside, {lambda}).fits.at(0);
  EXPECT_EQ(found.status, FitStatus::converged) << p.loss;
  EXPECT_LT(max_difference(found.linear_predictor, expected.linear_predictor), 1e-7) << p.loss;
  EXPECT_LT(max_difference(approximate_leave_one_out(outside, found).linear_predictor,
                           approximate_leave_one_out(known, expected).linear_predictor),
            1e-6)
      << p.loss;
}

TEST(OutsideOperator, OfAMatrixAlone) {
  RandomProblem p = testing_support::medium_problem();
  for (const char* loss : {"squared", "logistic"}) {
    p.loss = loss;
    expect_same_fits(p, GeneralizedLasso(ring_matrix(p.columns)), Outside(std::make_shared<Ring>(p.columns)));
  }
}

TEST(OutsideOperator, WithARightInverse) {
  RandomProblem p = testing_support::medium_problem();
  for (const char* loss : {"squared", "logistic", "multinomial"}) {
    p.loss = loss;
    const auto identity = std::make_shared<Identity>(p.columns);
    expect_same_fits(p, GeneralizedLasso(identity->matrix()), Outside(identity));
  }
}

}  // namespace
}  // namespace alo
