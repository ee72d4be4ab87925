// SPDX-License-Identifier: MIT
#include "alo/check.hpp"

namespace alo {

void note_exact(RowValues& values, const LeaveOneOut& exact) {
  values.exact = exact.linear_predictor;
  values.exact_low = exact.low;
  values.exact_high = exact.high;
  for (std::size_t i = 0; i < values.flags.size(); ++i) {
    if (exact.flags[i] == RowFlag::not_unique && values.flags[i] == RowFlag::none) {
      values.flags[i] = RowFlag::not_unique;
    }
  }
}

}  // namespace alo
