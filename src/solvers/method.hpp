// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "alo/fit.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/monitor.hpp"

namespace alo {

// A series of fits of one problem, with its own weights or others (a row left out). What one fit has found
// is where the next one begins.
class Solver {
 public:
  virtual ~Solver() = default;

  // Begins at the pattern of a fit of the same problem, where the solver can use one.
  virtual void start_from(const Fit& /*fit*/) {}
  // Fits at falling lambdas, fewer of them when the monitor says stop. Linear predictors and certificates are
  // left to the Certifier.
  virtual std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) = 0;
  // A fit that missed its certificate, found in another way: the second attempt, the third, and so on. None
  // where there is no further way.
  virtual std::optional<Fit> retry(const Fit& /*missed*/, int /*attempt*/) { return std::nullopt; }
  // The lambda at which a ridge explains a share of the null deviance, where a decomposition shows it.
  virtual std::optional<double> start(double /*share*/) { return std::nullopt; }
};

// What fits are wanted for.
enum class Use {
  path,   // many lambdas, falling
  refit,  // few, near the pattern given to start_from
};

// A way to fit one kind of problem, and all that depends on that way. Methods have no state; route() chooses
// among them, and nobody else asks what kind of problem it is.
//
// The operation counts are estimates from sizes alone, in operations of a matrix product, so that what is
// done by default does not depend on the machine or its load. `nonzero` counts the coefficients of a fit that
// are not zero.
class Method {
 public:
  virtual ~Method() = default;

  // What the result calls it (Fit::method).
  virtual std::string_view name() const = 0;
  // Whether it takes the problem with these weights. The first method in the table that does owns it.
  virtual bool suits(const Problem& problem, const Vector& weights) const = 0;
  // The most rows of a signal, an identity design, that it takes: dense matrices have n^2 numbers.
  virtual Index longest_signal() const { return 10'000; }

  virtual std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights,
                                         const FitOptions& options, Use use) const = 0;
  // How many fits of a path to ask for at once: enough to share matrix products, few enough to stop soon.
  virtual std::size_t fits_at_once(const Problem& problem) const;

  // H_ii of the leave-one-out formula where the pattern of a fit shows them; else empty.
  virtual Vector hat(const Problem& /*problem*/, const Fit& /*fit*/) const { return {}; }
  // Held-out predictions by fits without each of the rows (exact_leave_one_out); by refits unless the method
  // knows better.
  virtual ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits,
                                 const std::vector<Index>& rows, const ExactOptions& options,
                                 const Monitor& monitor) const;
  // Of which rows it is proved that the approximation equals exact leave-one-out (certify_rows).
  virtual std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit) const;

  // A path of falling lambdas, from fit to approximate leave-one-out.
  virtual double path_flops(const Problem& problem, std::span<const Index> nonzero) const = 0;
  // exact() of all rows at one lambda; infinite where every row takes a fit that starts from nothing, unless
  // those of a signal are short.
  virtual double exact_flops(const Problem& problem, Index nonzero) const;
  // certify_rows() at one lambda.
  virtual double certify_rows_flops(const Problem& problem, Index nonzero) const;
};

// The method that owns a problem, with its own weights or others. Throws InvalidArgument where there is none.
// The table is in routing/route.cpp.
const Method& route(const Problem& problem);
const Method& route(const Problem& problem, const Vector& weights);

}  // namespace alo
