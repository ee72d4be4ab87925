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

// Where the string bends: after the piece before `end`, upwards (+1) or downwards (-1); the last run ends
// at the last piece, without a bend (0).
struct StringRun {
  Index end;
  double bend;
};

// The shortest string through a tube. Above W_k = w_1 + ... + w_k it has to pass S_k = w_1 y_1 + ... + w_k
// y_k at a distance of at most r_k, and it starts and ends on S. Its slopes are the minimiser of
//
//   sum_k w_k (y_k - b_k)^2 / 2 + sum_k r_k |b_(k+1) - b_k|,
//
// and it bends only where it touches: upwards at the upper wall S + r, downwards at the lower wall S - r.
// From the last bend on, all that can matter of the walls is kept: the convex minorant of the upper and the
// concave majorant of the lower one. Linear time. (Davies and Kovac 2001; Barlow et al. 1972.)
class TautString {
 public:
  // Runs of constant slope, left to right. `radius(k)` is r_k >= 0, for every piece but the last.
  template <class Radius>
  const std::vector<StringRun>& pull(std::span<const ChainPiece> pieces, Radius radius);

 private:
  struct Edge {
    double sum;
    double weight;
    Index end;
  };

  // Edges of one wall, from the last bend to the last piece seen. Its slopes rise (direction 1, a minorant)
  // or fall (-1).
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

// Where one wall is a single edge that leaves the tube through the other wall, the string follows that other
// wall. `width` is the distance of the walls at the last piece.
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
    if (followed.size() == 1) {  // the same by definition, without what the differences have lost
      chord.sum = followed.front().sum - direction * width;
      chord.weight = followed.front().weight;
    }
  }
}

template <class Radius>
const std::vector<StringRun>& TautString::pull(std::span<const ChainPiece> pieces, Radius radius) {
  upper_.clear();
  lower_.clear();
  runs_.clear();
  const Index count = static_cast<Index>(pieces.size());
  double before = 0.0;
  for (Index k = 0; k < count; ++k) {
    const double here = k + 1 < count ? radius(k) : 0.0;
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
