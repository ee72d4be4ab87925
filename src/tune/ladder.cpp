// SPDX-License-Identifier: MIT
#include "tune/ladder.hpp"

#include <algorithm>
#include <cmath>

#include "alo/select.hpp"
#include "linalg/special_values.hpp"
#include "tune/chance.hpp"
#include "tune/verdict.hpp"

namespace alo {

namespace {

// The number of lambdas at which a doubtful part of the path is examined. On 105 problems eight, with
// interpolation between, left a regret of 0.1 % at most; with one the interpolation is a constant, and eighty
// are nearly the whole path.
constexpr std::size_t most_anchors = 8;
// At least the two ends and one between.
constexpr std::size_t least_anchors = 3;
// Two of them are about this factor apart in lambda or more, since the exact risk is smooth: what is spent on
// neighbours is missing elsewhere. At ten times the logarithm a doubtful part within a decade has one anchor;
// at a tenth neighbours on a grid are examined again.
constexpr double anchor_spacing = 1.75;

// Exact evaluations of all rows that are kept back: of a minimum, its neighbours, and one that turns out not
// to be the minimum.
constexpr double kept_evaluations = 4.0;

// Where not even one lambda can be settled, the risk is followed over lambdas that are at least this factor
// apart, until so many in a row are worse than the best. On handwritten digits (1991 x 784, logistic lasso)
// the risk falls from 0.35 to 0.19 within a factor of twelve and rises slowly beyond. With a factor of ten a
// minimum fits between two lambdas; with 1.1 the effort is gone before it is reached.
constexpr double walk_stride = 2.0;
constexpr int enough_worse = 2;

class Ladder {
 public:
  Ladder(ExactEvidence& evidence, const TuneResult& result)
      : evidence_(evidence), result_(result), finished_(static_cast<std::size_t>(evidence.size()), false) {}

  bool can_settle_one() const { return evidence_.affords(evidence_.all_rows_flops(best())); }

  // Until the smallest estimate is settled.
  void settle_minimum() {
    do {
      evidence_.interpolate();
    } while (!evidence_.stopped() && advance(best()));
  }

  // Until the smallest estimate is settled; or what is found there is not what the formula said, which then
  // no longer tells where to look next, for the next best would only show its optimism again; or the formula
  // is in doubt at the next one, and even so it looks hardly better than what is found.
  void try_minimum() {
    for (Index k = best(); !evidence_.stopped() && advance(k); k = best()) {
      if (best() != k && (is_contradicted(k) || (evidence_.is_doubtful(best()) && is_hardly_worse(k))))
        return;
    }
  }

  // Until its two neighbours are settled too, so that it is a minimum of the exact curve as far as that is
  // known.
  void settle_around_minimum() {
    do {
      evidence_.interpolate();
    } while (!evidence_.stopped() && advance_around(best()));
  }

  // Follows the risk from the minimum over lambdas at which the formula is in doubt, first to smaller ones.
  // The rows of high leverage are settled there, which carry nearly all of the formula's error and are few
  // where rows are many; a sample of as many rows at random says less. What a sample at the minimum costs is
  // kept back.
  void follow_minimum() {
    const Index center = best();
    evidence_.repair_leverages(center, evidence_.left());
    follow(center, 1);
    follow(center, -1);
    evidence_.interpolate();
  }

  // Examines lambdas at which the formula is in doubt and the risk could be the smallest. Each may take an
  // equal share of the effort, less what is kept back to settle another minimum, which these may show, and
  // its neighbours, at most a share `most_kept` of what is left.
  void examine_doubts(double most_kept) {
    const Index center = best();
    const double left = evidence_.left();
    const double reserve = std::min(kept_evaluations * evidence_.all_rows_flops(center), most_kept * left);
    const std::vector<Index> places = anchors(center, left - reserve);
    for (std::size_t a = 0; a < places.size() && !evidence_.stopped(); ++a) {
      if (is_far_above(places[a])) continue;
      const double free = evidence_.left() - reserve;
      examine(places[a], free / static_cast<double>(places.size() - a), free);
      evidence_.interpolate();
    }
  }

  // Examines lambdas between those that are known, where the formula is in doubt: again and again the one at
  // which the risk is most likely to be better than the smallest. Interpolation lies above a valley between
  // two known values, and few rows make bumps that hide a valley from its neighbours.
  void explore() {
    evidence_.interpolate();
    for (auto k = most_promising(); k && !evidence_.stopped(); k = most_promising()) {
      if (!evidence_.settle(*k)) return;
      finished_[index(*k)] = true;
      evidence_.interpolate();
    }
  }

  void settle_one_se() {
    const RiskCurve& curve = result_.risk.front();
    std::vector<double> lambdas;
    for (const PathPoint& point : result_.path) lambdas.push_back(point.fit.lambda);
    const auto choice = [&]() -> std::optional<Index> {
      const auto choices =
          choose_on_grid(curve.metric, lambdas, {curve.estimate.begin(), curve.estimate.end()});
      return choices ? choices->one_se.index : std::nullopt;
    };
    while (!evidence_.stopped()) {
      const auto k = choice();
      if (!k || !advance(*k)) return;
    }
  }

 private:
  // The lambda that looks best; among equal ones the largest.
  Index best() const {
    Index found = 0;
    for (Index k = 1; k < evidence_.size(); ++k) {
      if (evidence_.looks(k) < evidence_.looks(found)) found = k;
    }
    return found;
  }

  // Whether what is known on both sides says that the risk is far above the smallest.
  bool is_far_above(Index k) const {
    const BestEstimate& here = evidence_.at(k);
    const BestEstimate& smallest = evidence_.at(best());
    return here.kind == EstimateKind::corrected && smallest.mean &&
           !is_within_factor(result_.risk.front().metric, *here.mean, *smallest.mean);
  }

  // Where a risk that is better than the smallest by more than is tolerated is most likely, among the lambdas
  // at which the formula is in doubt and no more was tried.
  std::optional<Index> most_promising() const {
    double chance = least_chance;
    std::optional<Index> found;
    for (const Gap& gap : gaps_of_path(result_)) {
      const auto k = open_near(gap);
      if (!k || !(gap.chance > chance)) continue;
      chance = gap.chance;
      found = k;
    }
    return found;
  }

  std::optional<Index> open_near(const Gap& gap) const {
    std::optional<Index> nearest;
    const auto distance = [&](Index k) { return std::abs(std::log(lambda(k)) - gap.log_lambda); };
    for (auto k = static_cast<Index>(gap.above) + 1; k < static_cast<Index>(gap.below); ++k) {
      if (finished_[index(k)] || !evidence_.is_doubtful(k)) continue;
      if (!nearest || distance(k) < distance(*nearest)) nearest = k;
    }
    return nearest;
  }

  // Whether a lambda whose risk is known is hardly worse than what looks best.
  bool is_hardly_worse(Index k) const {
    const BestEstimate& found = evidence_.at(k);
    if (!found.mean || found.kind < EstimateKind::sampled) return false;
    return is_tolerable(evidence_.looks(k) - evidence_.looks(best()), found);
  }

  bool is_contradicted(Index k) const {
    const Estimate& formula = result_.risk.front().alo[static_cast<std::size_t>(k)];
    const BestEstimate& found = evidence_.at(k);
    return !formula.mean || !found.mean || !is_tolerable(std::abs(*found.mean - *formula.mean), found);
  }

  void follow(Index center, Index direction) {
    const std::optional<double>& risk = evidence_.at(center).mean;
    int worse = 0;
    Index last = center;
    for (Index k = center + direction; k >= 0 && k < evidence_.size(); k += direction) {
      const double apart = std::abs(std::log(lambda(k) / lambda(last)));
      if (apart < std::log(walk_stride) || (risk && !could_be_better(result_, index(k), *risk))) continue;
      const double free = evidence_.left() - evidence_.sample_flops(k);
      if (evidence_.stopped() || !evidence_.repair_leverages(k, free)) return;
      last = k;
      const bool is_worse = !is_tolerable(evidence_.looks(k) - evidence_.looks(best()), evidence_.at(k));
      worse = is_worse ? worse + 1 : 0;
      if (worse == enough_worse) return;
    }
  }

  // All rows where they cost no more than an equal share of what is free, else a sample of them, which may
  // cost more than the share.
  void examine(Index k, double share, double free) {
    if (evidence_.flops(k) <= share) {
      evidence_.settle(k);
      finished_[static_cast<std::size_t>(k)] = true;
    } else {
      evidence_.sample(k, std::max(share, std::min(free, evidence_.sample_flops(k))));
    }
  }

  bool advance_around(Index k) {
    if (advance(k)) return true;
    const auto exists = [&](Index neighbor) { return neighbor >= 0 && neighbor < evidence_.size(); };
    return (exists(k - 1) && advance(k - 1)) || (exists(k + 1) && advance(k + 1));
  }

  // Takes the next step at a lambda; false when there is none left, or none that is affordable.
  bool advance(Index k) {
    if (finished_[static_cast<std::size_t>(k)]) return false;
    const EstimateKind kind = evidence_.at(k).kind;
    const bool is_open = kind == EstimateKind::alo || kind == EstimateKind::corrected;
    if (is_open && evidence_.repair(k)) return true;
    finished_[static_cast<std::size_t>(k)] = true;
    if (kind == EstimateKind::exact) return false;
    return evidence_.settle(k) || evidence_.sample(k, evidence_.left());
  }

  // Some of the lambdas that could be better, spread evenly over them and down to the last lambda where the
  // formula is in doubt, since exact values may contradict it between. The two ends come first and then what
  // lies farthest from all before, so that as much as possible lies between known values if the effort ends.
  // There are fewer where that costs more than is free, since the least of many poor samples is too small.
  std::vector<Index> anchors(Index center, double free) const {
    std::vector<Index> all;
    const std::optional<double>& risk = evidence_.at(center).mean;
    for (Index k = 0; k < evidence_.size(); ++k) {
      if (!risk || could_be_better(result_, static_cast<std::size_t>(k), *risk)) all.push_back(k);
    }
    if (all.empty()) return all;
    const Index last = evidence_.size() - 1;
    if (all.back() < last && evidence_.at(last).kind == EstimateKind::alo && evidence_.is_doubtful(last)) {
      all.push_back(last);
    }
    const double affordable =
        std::clamp(free / evidence_.sample_flops(center), static_cast<double>(least_anchors),
                   static_cast<double>(most_anchors));
    const double width =
        lambda(all.back()) > 0.0 ? std::log(lambda(all.front()) / lambda(all.back())) : infinity;
    const double apart = 2.0 + width / std::log(anchor_spacing);
    const auto count =
        static_cast<std::size_t>(std::min({affordable, apart, static_cast<double>(all.size())}));
    std::vector<Index> spread;
    for (std::size_t a = 0; a < count; ++a) {
      spread.push_back(all[count == 1 ? 0 : a * (all.size() - 1) / (count - 1)]);
    }
    return farthest_first(std::move(spread));
  }

  static std::vector<Index> farthest_first(std::vector<Index> places) {
    std::vector<Index> order = {places.back()};
    places.pop_back();
    while (!places.empty()) {
      const auto distance = [&](Index place) {
        Index nearest = std::abs(place - order.front());
        for (const Index other : order) nearest = std::min(nearest, std::abs(place - other));
        return nearest;
      };
      const auto next = std::max_element(places.begin(), places.end(),
                                         [&](Index a, Index b) { return distance(a) < distance(b); });
      order.push_back(*next);
      places.erase(next);
    }
    return order;
  }

  static std::size_t index(Index k) { return static_cast<std::size_t>(k); }
  double lambda(Index k) const { return result_.path[index(k)].fit.lambda; }

  ExactEvidence& evidence_;
  const TuneResult& result_;
  std::vector<bool> finished_;  // nothing more can be known, or afforded
};

}  // namespace

void find_minimum(ExactEvidence& evidence, const TuneResult& result) {
  if (evidence.settle_all(true) || evidence.stopped()) return;
  Ladder ladder(evidence, result);
  if (!ladder.can_settle_one()) ladder.follow_minimum();
  ladder.try_minimum();
  ladder.examine_doubts(0.5);  // nothing is gained by settling a minimum in the wrong place
  ladder.settle_minimum();
}

void settle_doubts(ExactEvidence& evidence, const TuneResult& result) {
  if (evidence.settle_all(true) || evidence.stopped()) return;
  Ladder ladder(evidence, result);
  double before = 0.0;
  double kept = 1.0;
  do {
    before = evidence.spent();
    ladder.examine_doubts(kept);  // of which there are more where exact values contradicted the formula
    ladder.settle_minimum();
    ladder.settle_around_minimum();
    ladder.settle_one_se();
    if (evidence.spent() == before) ladder.explore();  // nothing is left of what must be known
    evidence.interpolate();
    kept = 0.0;  // there is another minimum to settle only if this round has found one
  } while (evidence.spent() > before && !evidence.stopped());
}

}  // namespace alo
