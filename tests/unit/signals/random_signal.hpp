// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <ostream>
#include <random>

#include <rapidcheck.h>

#include "alo/types.hpp"

namespace alo::testing_support {

// A signal with weights, reproducible from these numbers.
struct RandomSignal {
  enum class Kind { noise, integers, steps, ramp, constant };
  Kind kind = Kind::noise;
  unsigned seed = 1;
  Index rows = 20;
  bool weights = false;   // in (0.1, 3) instead of one
  double left_out = 0.0;  // share of the rows with weight zero
  double lambda = 1.0;

  Vector signal() const {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    Vector y(rows);
    double level = 10.0;
    for (Index i = 0; i < rows; ++i) {
      if (i % 7 == 0) level += 3.0 * normal(generator);
      const double noise = normal(generator);
      const double position = static_cast<double>(i);
      switch (kind) {
        case Kind::noise:
          y[i] = 5.0 + noise;
          break;
        case Kind::integers:
          y[i] = std::round(1.5 * noise);
          break;
        case Kind::steps:
          y[i] = level + 0.1 * noise;
          break;
        case Kind::ramp:
          y[i] = 0.3 * position + 0.02 * noise;
          break;
        case Kind::constant:
          y[i] = 1.0 / 3.0;
          break;
      }
    }
    return y;
  }

  Vector row_weights() const {
    std::mt19937 generator(seed + 1);
    std::uniform_real_distribution<double> uniform;
    Vector w(rows);
    for (Index i = 0; i < rows; ++i) {
      w[i] = weights ? 0.1 + 2.9 * uniform(generator) : 1.0;
      if (uniform(generator) < left_out) w[i] = 0.0;
    }
    return w;
  }
};

inline std::ostream& operator<<(std::ostream& stream, const RandomSignal& s) {
  return stream << "kind " << static_cast<int>(s.kind) << " seed " << s.seed << " rows " << s.rows
                << (s.weights ? " weights" : "") << " left out " << s.left_out << " lambda " << s.lambda;
}

inline rc::Gen<RandomSignal> any_signal(Index most_rows) {
  return rc::gen::exec([most_rows] {
    using Kind = RandomSignal::Kind;
    RandomSignal s;
    s.kind = *rc::gen::element(Kind::noise, Kind::integers, Kind::steps, Kind::ramp, Kind::constant);
    s.seed = *rc::gen::inRange(1u, 1000000u);
    s.rows = *rc::gen::inRange<Index>(1, most_rows + 1);
    s.weights = *rc::gen::arbitrary<bool>();
    s.left_out = *rc::gen::element(0.0, 0.0, 0.2, 0.6);
    s.lambda = *rc::gen::element(0.0, 0.01, 0.1, 0.5, 1.0, 3.0, 30.0, 1e6);
    return s;
  });
}

}  // namespace alo::testing_support
