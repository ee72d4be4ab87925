// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "alo/geometry.hpp"
#include "alo/problem.hpp"

namespace alo {

// A smooth loss in the form that TermsSolver needs: a function of the coefficients of all K outputs, one
// output after another, on the scale of the fit, and of unpenalised intercepts.
class TermsLoss {
 public:
  struct Point {
    Vector coefficients;  // p K
    Vector intercept;     // K, of the design's own centring
    Vector predictor;     // n K
    Vector residual;      // -w_i l'_i
    double loss = 0.0;
  };
  // The quadratic model at a point, minimised over the intercepts: a move v of the coefficients lowers the
  // loss by
  //     slopes'v - v'(curvature)v / 2 + intercept_gain,
  // and the intercepts move by intercept_step - intercept_share v.
  struct Model {
    Matrix curvature;
    Vector slopes;
    Vector intercept_step;
    Matrix intercept_share;
    double intercept_gain = 0.0;
  };

  virtual ~TermsLoss() = default;
  virtual Point at(Vector coefficients, const Vector& intercept) const = 0;
  // Minus the gradient by the coefficients.
  virtual Vector slopes(const Point& point) const = 0;
  virtual Model model(const Point& point) = 0;
  // H_ii for the pattern that these multipliers mark; empty where the general formula is more accurate.
  virtual Vector hat(const Point& point, const Vector& multipliers, double lambda) = 0;

  // The largest derivative by an intercept, relative to the sum of the absolute values of its terms.
  double intercept_slope(const Point& point) const;

 protected:
  explicit TermsLoss(const Problem& problem) : problem_(problem) {}
  const Problem& problem() const { return problem_; }

 private:
  const Problem& problem_;
};

// `weights` stand in for the problem's own.
std::unique_ptr<TermsLoss> make_terms_loss(const Problem& problem, Vector weights);

}  // namespace alo
