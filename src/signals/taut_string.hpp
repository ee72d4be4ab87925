// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// Neighbouring rows of a chain that have one value in common.
struct ChainPiece {
  double sum;     // of w y
  double weight;  // of w, positive
};

// A stretch of the string without a bend: it ends behind the piece before `end` with a bend upwards (+1) or
// downwards (-1), or at the last piece without one (0).
struct StringRun {
  Index end;
  double bend;
};

// The taut string (Davies and Kovac 2001; Barlow, Bartholomew, Bremner and Brunk 1972): the shortest curve in
// a tube of radius r around the points (W_k, S_k), W_k = w_1 + ... + w_k and S_k = w_1 y_1 + ... + w_k y_k,
// that starts and ends on the first and the last of them. Its slopes are the minimiser of
//
//   sum_k w_k (y_k - b_k)^2 / 2 + r sum_k |b_(k+1) - b_k|,
//
// and it bends only where it touches the tube: upwards at the upper wall S + r, downwards at the lower wall
// S - r. From the last bend on, the convex minorant of the upper wall and the concave majorant of the lower
// one determine the rest. The time is linear.
class TautString {
 public:
  // The stretches from left to right.
  const std::vector<StringRun>& pull(std::span<const ChainPiece> pieces, double radius);

 private:
  struct Edge {
    double sum;
    double weight;
    Index end;
  };

  // The edges of the convex minorant (direction 1, rising slopes) or concave majorant (-1) of a wall, from
  // the last bend to the last piece that was added.
  template <int direction>
  class Hull {
   public:
    void clear() {
      edges_.clear();
      head_ = 0;
    }
    std::size_t size() const { return edges_.size() - head_; }
    Edge& front() { return edges_[head_]; }
    void drop_front() { ++head_; }
    void add(Edge edge) {
      while (size() > 0 &&
             direction * (edge.sum * edges_.back().weight - edges_.back().sum * edge.weight) <= 0.0) {
        edge.sum += edges_.back().sum;
        edge.weight += edges_.back().weight;
        edges_.pop_back();
      }
      if (size() == 0) clear();
      edges_.push_back(edge);
    }

   private:
    std::vector<Edge> edges_;
    std::size_t head_ = 0;
  };

  template <int direction>
  void bend(Hull<-direction>& straight, Hull<direction>& followed, double width);

  Hull<1> upper_;
  Hull<-1> lower_;
  std::vector<StringRun> runs_;
};

// If the hull of one wall is a single edge (`straight`) that crosses the other hull, the string follows the
// edges of the other one and bends after each. `width` is the distance of the walls at the last piece.
template <int direction>
void TautString::bend(Hull<-direction>& straight, Hull<direction>& followed, double width) {
  if (straight.size() != 1) return;
  while (followed.size() > 1) {
    Edge& chord = straight.front();
    const Edge first = followed.front();
    if (direction * (first.sum * chord.weight - chord.sum * first.weight) >= 0.0) return;
    runs_.push_back({first.end, direction});
    followed.drop_front();
    chord.sum -= first.sum;
    chord.weight -= first.weight;
    if (followed.size() == 1) {  // equal in exact arithmetic, and without the rounding of the differences
      chord.sum = followed.front().sum - direction * width;
      chord.weight = followed.front().weight;
    }
  }
}

inline const std::vector<StringRun>& TautString::pull(std::span<const ChainPiece> pieces, double radius) {
  upper_.clear();
  lower_.clear();
  runs_.clear();
  const Index count = static_cast<Index>(pieces.size());
  double before = 0.0;
  for (Index k = 0; k < count; ++k) {
    const double here = k + 1 < count ? radius : 0.0;
    const double opening = here - before;
    upper_.add({pieces[k].sum + opening, pieces[k].weight, k + 1});
    lower_.add({pieces[k].sum - opening, pieces[k].weight, k + 1});
    bend<-1>(upper_, lower_, 2.0 * here);
    bend<1>(lower_, upper_, 2.0 * here);
    before = here;
  }
  if (count > 0) runs_.push_back({count, 0.0});
  return runs_;
}

}  // namespace alo
