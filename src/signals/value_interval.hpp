// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// All optimal values of a row that is left out, where there is more than one.
struct ValueInterval {
  double low;
  double high;
};

}  // namespace alo
