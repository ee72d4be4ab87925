// SPDX-License-Identifier: MIT
// A loss and a penalty that the library does not have, tuned by approximate leave-one-out and compared with
// exact leave-one-out: n refits at every lambda.
#include <cmath>
#include <cstdio>
#include <exception>

#include <alo/losses/huber.hpp>
#include <alo/read.hpp>
#include <alo/tune.hpp>

#include "log_cosh_loss.hpp"
#include "nonnegative_lasso.hpp"

namespace {

void compare(const char* file) {
  const alo::Dataset data = alo::read_dataset(file);
  const double scale = alo::default_delta(data.response, data.weights);
  const alo::Problem problem(data, own::LogCoshLoss(scale), own::NonnegativeLasso());
  alo::TuneOptions options;
  options.metrics = {alo::Metric::mae};
  options.grid = {10, 1e-3};
  options.exact = true;
  const alo::TuneResult result = alo::tune(problem, options);

  std::printf("    lambda  positive       ALO     exact  apart\n");
  const alo::RiskCurve& curve = result.risk.front();
  for (std::size_t k = 0; k < result.path.size(); ++k) {
    const double approximate = curve.alo[k].mean.value();
    const double exact = curve.exact[k].mean.value();
    std::printf("%10.2f  %8td  %8.4f  %8.4f  %.3f %%\n", result.path[k].fit.lambda, result.path[k].nonzero,
                approximate, exact, 100.0 * std::abs(approximate - exact) / exact);
  }
  std::printf("chosen: lambda %.2f; certified: %s\n", result.minimum.value().choice.lambda,
              result.certified ? "yes" : "no");
}

}  // namespace

int main(int count, char** arguments) {
  try {
    compare(count > 1 ? arguments[1] : "examples/diabetes_quadratic.csv");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "own_model: %s\n", error.what());
    return 1;
  }
}
