// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/loss.hpp"
#include "alo/types.hpp"
#include "completion/entry_list.hpp"

namespace alo {

// The observations: for each its position in a rows x columns matrix (from 0), response, weight and offset.
struct CompletionData {
  Index rows = 0;
  Index columns = 0;
  std::vector<Index> row;
  std::vector<Index> column;
  Vector response;
  Vector weight;
  Vector offset;
};

// The loss of a matrix B = L R' at its observed entries, minimised over the intercept:
//
//     f(B) = min_b0 sum_j w_j l(o_j + b0 + B[row_j, column_j]; y_j).
//
// Numbers per observation are in the order of entries().
class FactoredLoss {
 public:
  FactoredLoss(const CompletionData& data, Loss loss, bool intercept);

  // B = u diag(sigma) v', sigma falling, and f there.
  struct Point {
    Matrix u;
    Vector sigma;
    Matrix v;
    // L = u sqrt(sigma) and R = v sqrt(sigma) side by side (entry_products.hpp).
    Matrix factors;
    double intercept = 0.0;
    Vector predictor;
    Vector slope;  // w_j l'_j
    double loss = 0.0;
  };
  Point at(Matrix u, Vector sigma, Matrix v, double intercept) const;
  // The point of factors that need not be balanced.
  Point at(const Matrix& factors, double intercept) const;

  Vector curvature(const Point& point) const;  // w_j l''_j
  // How the best intercept moves when the linear predictor moves by `direction`: minus its mean with the
  // curvatures for weights; zero without intercept.
  double intercept_move(const Vector& curvature, const Vector& direction) const;
  // The largest sum of curvatures at one place of the matrix.
  double largest_curvature(const Vector& curvature) const;
  double excess(const Point& point) const;  // sum_j w_j [l - min_u l]

  const EntryList& entries() const { return entries_; }
  const Loss& loss() const { return loss_; }
  const Vector& response() const { return response_; }
  const Vector& weight() const { return weight_; }
  bool has_intercept() const { return intercept_; }

 private:
  void evaluate(Point& point) const;
  void minimize_over_intercept(double& intercept, Vector& predictor) const;

  EntryList entries_;
  Loss loss_;
  bool intercept_;
  Vector response_;
  Vector weight_;
  Vector offset_;
};

// L and R side by side from u diag(sigma) v', padded.
Matrix balanced_factors(const Matrix& u, const Vector& sigma, const Matrix& v);

}  // namespace alo
