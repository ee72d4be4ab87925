// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alo/geometry.hpp"
#include "alo/types.hpp"

namespace alo {

class AnalysisOperator;

// The whole penalty at lambda, one term per coefficient:
//     sum_j lambda absolute_j |b_j| + (lambda square_j + fixed_square_j) b_j^2 / 2.
// All zero: unpenalised. Infinite: the coefficient is held at zero.
struct SeparableTerms {
  Vector absolute;
  Vector square;
  Vector fixed_square;
};

// A point of the dual problem as a penalty needs it: the slopes, minus the gradient of the loss in each
// coefficient, and for a penalty on D b the multipliers u of its terms, D'u equal to the slopes, as a solver
// claims them (Fit::multipliers); otherwise these are empty.
struct DualPoint {
  template <class Slopes>
  DualPoint(const Slopes& z) : slopes(z) {}  // NOLINT(google-explicit-constructor)
  DualPoint(Vector z, Vector u) : slopes(std::move(z)), multipliers(std::move(u)) {}

  Vector slopes;
  Vector multipliers;
};

// A proximal point, and where the pattern needs them the multipliers there (as Fit::multipliers).
struct Proximal {
  Vector point;
  Vector multipliers;
};

// A convex penalty P(b), the whole term that is added to the loss at a lambda, on the scale of
// the fit (after standardisation). P(0) = 0, and P grows with lambda: lambda R(b), plus what
// lambda does not scale, if there is such a part.
//
// A penalty may offer more, by functions that others leave out; solvers and reports ask for these, and never
// for a penalty by its name:
//
//     bool keeps_zeros()                  it does not grow when coefficients are set to zero, so that its
//                                         prox keeps zeros: a solver may leave coefficients at zero
//                                         aside
//     const AnalysisOperator* analysis()  it is lambda |D b|_1 for this D (analysis_operator.hpp)
//     MatrixShape shape()                 its coefficients are a matrix
//     bool sums_singular_values()         it is lambda times the sum of the singular values of that matrix
//     std::span<const Index> groups()     coefficients are zero by groups: that of each one, 0 ... G - 1
//     bool has_clusters()                 coefficients of equal size move as one
template <class T>
concept PenaltyModel = requires(const T& penalty, const VectorView& b, const DualPoint& dual, double lambda,
                                Index columns) {
  { penalty.name() } -> std::convertible_to<std::string>;
  // P in words, for the objective in reports: "lambda * NAME penalty"
  { penalty.describe() } -> std::convertible_to<std::string>;
  // P(b)
  { penalty.value(b, lambda) } -> std::same_as<double>;
  // argmin_x |x - b|^2 / 2 + P(x)
  { penalty.prox(b, lambda) } -> std::same_as<Proximal>;
  // Tangent space and curvature of P at b. The pattern is that of exact zeros and ties of b, or what the
  // multipliers of a fit say where rounding hides it.
  { penalty.geometry(b, b, lambda) } -> std::same_as<Geometry>;
  // A subgradient at b; along the tangent space it is the gradient.
  { penalty.subgradient(b, lambda) } -> std::same_as<Vector>;
  // P(b) + P*(z) - z'b >= 0, the penalty's part of a duality gap, written so that no digits
  // cancel; infinite outside the domain of the conjugate
  { penalty.fenchel_gap(b, dual, lambda) } -> std::same_as<double>;
  // Largest a <= 1 such that a z lies in the domain of P*
  { penalty.dual_scale(dual, lambda) } -> std::same_as<double>;
  // dist(z_j, dP_j(b)) for every j; where P is not separable any measure of that kind which is zero for a
  // subgradient and no larger than the distance to one
  { penalty.subgradient_distance(b, dual, lambda) } -> std::same_as<Vector>;
  // Smallest lambda at which b = 0 is optimal on the penalised coordinates, for
  // minus the loss gradient z at the null fit; infinite when there is none
  { penalty.lambda_max(b) } -> std::same_as<double>;
  // A basis, one direction a column, of what P does not touch; at lambda = 0 of what only lambda
  // penalises as well
  { penalty.unpenalized(columns, lambda) } -> std::same_as<SparseMatrix>;
  // Term by term, when P is separable
  { penalty.separable(columns) } -> std::same_as<std::optional<SeparableTerms>>;
  // Throws InvalidData when the penalty does not fit p columns
  { penalty.check_columns(columns) } -> std::same_as<void>;
};

// A copyable handle over any PenaltyModel.
class Penalty {
 public:
  template <PenaltyModel T>
  Penalty(T model)
      : model_(std::make_shared<Holder<T>>(std::move(model))) {}  // NOLINT(google-explicit-constructor)

  std::string name() const { return model_->name(); }
  std::string describe() const { return model_->describe(); }
  double value(const VectorView& b, double lambda) const { return model_->value(b, lambda); }
  Proximal prox(const VectorView& b, double lambda) const { return model_->prox(b, lambda); }
  Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const {
    return model_->geometry(b, multipliers, lambda);
  }
  Vector subgradient(const VectorView& b, double lambda) const { return model_->subgradient(b, lambda); }
  double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const {
    return model_->fenchel_gap(b, dual, lambda);
  }
  double dual_scale(const DualPoint& dual, double lambda) const { return model_->dual_scale(dual, lambda); }
  Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const {
    return model_->subgradient_distance(b, dual, lambda);
  }
  double lambda_max(const VectorView& z) const { return model_->lambda_max(z); }
  SparseMatrix unpenalized(Index columns, double lambda) const {
    return model_->unpenalized(columns, lambda);
  }
  std::optional<SeparableTerms> separable(Index columns) const { return model_->separable(columns); }
  void check_columns(Index columns) const { model_->check_columns(columns); }

  // What a model may offer; false, null, none or empty where it does not. Pointers and spans live as long as
  // the penalty or a copy of it.
  bool keeps_zeros() const { return model_->keeps_zeros(); }
  const AnalysisOperator* analysis() const { return model_->analysis(); }
  std::optional<MatrixShape> shape() const { return model_->shape(); }
  bool sums_singular_values() const { return model_->sums_singular_values(); }
  std::span<const Index> groups() const { return model_->groups(); }
  bool has_clusters() const { return model_->has_clusters(); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string name() const = 0;
    virtual std::string describe() const = 0;
    virtual double value(const VectorView& b, double lambda) const = 0;
    virtual Proximal prox(const VectorView& b, double lambda) const = 0;
    virtual Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const = 0;
    virtual Vector subgradient(const VectorView& b, double lambda) const = 0;
    virtual double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const = 0;
    virtual double dual_scale(const DualPoint& dual, double lambda) const = 0;
    virtual Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const = 0;
    virtual double lambda_max(const VectorView& z) const = 0;
    virtual SparseMatrix unpenalized(Index columns, double lambda) const = 0;
    virtual std::optional<SeparableTerms> separable(Index columns) const = 0;
    virtual void check_columns(Index columns) const = 0;
    virtual bool keeps_zeros() const = 0;
    virtual const AnalysisOperator* analysis() const = 0;
    virtual std::optional<MatrixShape> shape() const = 0;
    virtual bool sums_singular_values() const = 0;
    virtual std::span<const Index> groups() const = 0;
    virtual bool has_clusters() const = 0;
  };
  template <PenaltyModel T>
  struct Holder final : Interface {
    explicit Holder(T m) : model(std::move(m)) {}
    std::string name() const override { return model.name(); }
    std::string describe() const override { return model.describe(); }
    double value(const VectorView& b, double lambda) const override { return model.value(b, lambda); }
    Proximal prox(const VectorView& b, double lambda) const override { return model.prox(b, lambda); }
    Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const override {
      return model.geometry(b, multipliers, lambda);
    }
    Vector subgradient(const VectorView& b, double lambda) const override {
      return model.subgradient(b, lambda);
    }
    double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const override {
      return model.fenchel_gap(b, dual, lambda);
    }
    double dual_scale(const DualPoint& dual, double lambda) const override {
      return model.dual_scale(dual, lambda);
    }
    Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const override {
      return model.subgradient_distance(b, dual, lambda);
    }
    double lambda_max(const VectorView& z) const override { return model.lambda_max(z); }
    SparseMatrix unpenalized(Index columns, double lambda) const override {
      return model.unpenalized(columns, lambda);
    }
    std::optional<SeparableTerms> separable(Index columns) const override { return model.separable(columns); }
    void check_columns(Index columns) const override { model.check_columns(columns); }
    bool keeps_zeros() const override {
      if constexpr (requires { model.keeps_zeros(); }) {
        return model.keeps_zeros();
      } else {
        return false;
      }
    }
    const AnalysisOperator* analysis() const override {
      if constexpr (requires { model.analysis(); }) {
        return model.analysis();
      } else {
        return nullptr;
      }
    }
    std::optional<MatrixShape> shape() const override {
      if constexpr (requires { model.shape(); }) {
        return model.shape();
      } else {
        return std::nullopt;
      }
    }
    bool sums_singular_values() const override {
      if constexpr (requires { model.sums_singular_values(); }) {
        return model.sums_singular_values();
      } else {
        return false;
      }
    }
    std::span<const Index> groups() const override {
      if constexpr (requires { model.groups(); }) {
        return model.groups();
      } else {
        return {};
      }
    }
    bool has_clusters() const override {
      if constexpr (requires { model.has_clusters(); }) {
        return model.has_clusters();
      } else {
        return false;
      }
    }
    T model;
  };
  std::shared_ptr<const Interface> model_;
};

}  // namespace alo
