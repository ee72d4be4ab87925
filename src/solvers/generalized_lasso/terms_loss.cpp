// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/terms_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "certificate/null_fit.hpp"
#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/tolerances.hpp"
#include "solvers/proximal/working_loss.hpp"

namespace alo {

namespace {

std::vector<Index> all_of(Index columns) {
  std::vector<Index> result(static_cast<std::size_t>(columns));
  std::iota(result.begin(), result.end(), Index{0});
  return result;
}

// One output. The loss is minimised over the intercept wherever it is evaluated.
class OneOutput final : public TermsLoss {
 public:
  OneOutput(const Problem& problem, Vector weights) : TermsLoss(problem), loss_(problem, std::move(weights)) {
    all_.coordinates = all_of(problem.columns());
    all_.curvature = Vector::Zero(problem.columns());
    loss_.require(all_.coordinates);
  }

  Point at(Vector coefficients, const Vector& intercept) const override {
    WorkingLoss::Point point = loss_.at(std::move(coefficients), intercept[0]);
    return {std::move(point.coefficients), Vector::Constant(1, point.intercept), std::move(point.predictor),
            std::move(point.residual), point.loss};
  }
  Vector slopes(const Point& point) const override { return loss_.slopes(working(point)); }
  Model model(const Point& point) override {
    const WorkingLoss::Point own = working(point);
    return {loss_.curvature(all_, own), loss_.slopes(own), Vector::Zero(1),
            Matrix::Zero(1, problem().columns())};
  }
  Vector hat(const Point& point, const Vector& multipliers, double lambda) override {
    const Geometry geometry = problem().penalty().geometry(point.coefficients, multipliers, lambda);
    if (geometry.dimension() == 0 || geometry.dimension() > problem().rows()) return {};
    const WorkingLoss::Point own = working(point);
    Matrix system = loss_.curvature(geometry, own);
    const Vector diagonal = system.diagonal();
    const auto lower = blas::cholesky(std::move(system));
    if (!lower ||
        (lower->diagonal().array().square() <= tolerances::leverage_pivot * diagonal.array()).any()) {
      return {};
    }
    return loss_.hat(geometry, own, *lower);
  }

 private:
  static WorkingLoss::Point working(const Point& point) {
    return {point.coefficients, point.intercept[0], point.predictor, point.residual, point.loss};
  }

  WorkingLoss loss_;
  Geometry all_;  // every coefficient a direction
};

// Several outputs. Softmax is invariant under a common shift of the coefficients of all outputs, and along
// the null space of D the penalty is too. In these directions, and for the intercepts, curvature is added to
// the model, which keeps their means over the outputs constant.
class SeveralOutputs final : public TermsLoss {
 public:
  SeveralOutputs(const Problem& problem, Vector weights)
      : TermsLoss(problem),
        weights_(std::move(weights)),
        columns_(problem.design().gather(all_of(problem.columns()))) {
    for (const Index j : problem.constant_columns()) columns_.col(j).setZero();
    const Matrix free = problem.penalty().unpenalized(problem.columns(), null_lambda).toDense();
    if (free.cols() > 0) free_ = blas::orthonormal_basis(free, tolerances::tangent_rank);
  }

  Point at(Vector coefficients, const Vector& intercept) const override {
    const Vector& response = problem().data().response;
    Matrix predictor = blas::multiply(columns_, by_output(coefficients, outputs()));
    predictor.colwise() += problem().data().offset;
    predictor.rowwise() += intercept.transpose();
    Point point{std::move(coefficients), intercept, predictor.reshaped(), Vector(), 0.0};
    point.residual = -problem().loss().derivative(point.predictor, response);
    by_output(point.residual, outputs()).array().colwise() *= weights_.array();
    point.loss = weights_.dot(problem().loss().value(point.predictor, response));
    return point;
  }

  Vector slopes(const Point& point) const override {
    return blas::transpose_multiply(columns_, by_output(point.residual, outputs())).reshaped();
  }

  Model model(const Point& point) override {
    Vector bend = problem().loss().curvature(point.predictor, problem().data().response);
    auto blocks = by_output(bend, outputs() * outputs());
    blocks.array().colwise() *= weights_.array();
    Model result;
    result.slopes = slopes(point);
    result.curvature = products(blocks);
    result.intercept_step = Vector::Zero(outputs());
    result.intercept_share = Matrix::Zero(outputs(), result.slopes.size());
    if (problem().intercept()) take_intercepts(point, blocks, result);
    hold_means(result.curvature);
    return result;
  }

  Vector hat(const Point&, const Vector&, double) override { return {}; }

 private:
  Index outputs() const { return problem().outputs(); }

  // sum_i C_i(k, l) x_i x_i' for the outputs k, l.
  Matrix products(const Matrix& blocks) const {
    const Index p = columns_.cols();
    Matrix result(p * outputs(), p * outputs());
    for (Index k = 0; k < outputs(); ++k) {
      for (Index l = 0; l <= k; ++l) {
        const Matrix weighted = blocks.col(k + outputs() * l).asDiagonal() * columns_;
        result.block(k * p, l * p, p, p) = blas::transpose_multiply(columns_, weighted);
        if (l < k) result.block(l * p, k * p, p, p) = result.block(k * p, l * p, p, p).transpose();
      }
    }
    return result;
  }

  // Eliminates the intercepts. With H_0 the second derivative by the intercepts, s_0 minus the first, and
  // H_0b the mixed one with the coefficients, the Hessian becomes the Schur complement H - H_0b'H_0^-1 H_0b,
  // and the slopes s become s - H_0b'H_0^-1 s_0.
  void take_intercepts(const Point& point, const Matrix& blocks, Model& model) const {
    const Index p = columns_.cols();
    Matrix own = blocks.colwise().sum().reshaped(outputs(), outputs());
    Matrix mixed(outputs(), p * outputs());
    for (Index k = 0; k < outputs(); ++k) {
      for (Index l = 0; l < outputs(); ++l) {
        mixed.row(k).segment(l * p, p) =
            blas::transpose_multiply_vector(columns_, blocks.col(k + outputs() * l)).transpose();
      }
    }
    own.array() += own.diagonal().mean() / static_cast<double>(outputs());
    const Vector slope = by_output(point.residual, outputs()).colwise().sum().transpose();
    model.intercept_step = dense::solve_symmetric(own, slope);
    model.intercept_share = dense::solve_symmetric(own, mixed);
    model.intercept_gain = slope.dot(model.intercept_step);
    model.slopes -= mixed.transpose() * model.intercept_step;
    blas::add_transposed_product(model.curvature, -1.0, mixed, model.intercept_share);
    model.curvature = 0.5 * (model.curvature + model.curvature.transpose()).eval();
  }

  void hold_means(Matrix& curvature) const {
    if (free_.size() == 0) return;
    const Index p = columns_.cols();
    const Matrix level = curvature.diagonal().mean() / static_cast<double>(outputs()) * blas::row_gram(free_);
    for (Index k = 0; k < outputs(); ++k) {
      for (Index l = 0; l < outputs(); ++l) curvature.block(k * p, l * p, p, p) += level;
    }
  }

  Vector weights_;
  Matrix columns_;  // X, zero where columns have no variation
  Matrix free_;     // an orthonormal basis of the null space of D
};

}  // namespace

double TermsLoss::intercept_slope(const Point& point) const {
  if (!problem_.intercept() || problem_.outputs() == 1) return 0.0;
  const auto residual = by_output(point.residual, problem_.outputs());
  const double size = residual.cwiseAbs().colwise().sum().maxCoeff();
  return size > 0.0 ? residual.colwise().sum().cwiseAbs().maxCoeff() / size : 0.0;
}

std::unique_ptr<TermsLoss> make_terms_loss(const Problem& problem, Vector weights) {
  if (problem.outputs() == 1) return std::make_unique<OneOutput>(problem, std::move(weights));
  return std::make_unique<SeveralOutputs>(problem, std::move(weights));
}

}  // namespace alo
