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
#include "solvers/affine_path.hpp"

namespace alo {

// A series of fits of one problem, with its own weights or others (a row left out). Each fit starts from the
// solution of the one before it.
class Solver {
 public:
  virtual ~Solver() = default;

  // Sets the starting point of the next fit to a fit of the same problem, where the solver can use one.
  virtual void start_from(const Fit& /*fit*/) {}
  // Fits at falling lambdas; fewer than asked for when the monitor says stop. The Certifier adds linear
  // predictors and certificates.
  virtual std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) = 0;
  // Solves again, in another way, for a fit that missed its certificate: the second attempt, the third, and
  // so on. None where there is no further way.
  virtual std::optional<Fit> retry(const Fit& /*missed*/, int /*attempt*/) { return std::nullopt; }
  // The lambda at which a ridge explains the given share of the null deviance, where the solver's
  // decomposition gives it.
  virtual std::optional<double> start(double /*share*/) { return std::nullopt; }
  // The lambda at which the degrees of freedom of a ridge have come to the given share of their limit, where
  // the solver's decomposition gives it.
  virtual std::optional<double> end(double /*share*/) { return std::nullopt; }
};

// The purpose of a solver, by which a method may choose between algorithms.
enum class Use {
  path,   // many falling lambdas
  refit,  // few lambdas, near the pattern given to start_from
};

// What the work of leaving rows out of a fit depends on, beside the sizes of the problem.
struct FitSize {
  Index nonzero = 0;                // coefficients that are not zero
  double degrees_of_freedom = 0.0;  // the sum of the leverages; 0 where they are not known
};

// An algorithm for one kind of problem, and everything that depends on the choice of algorithm. Methods have
// no state. route() chooses among them, and no other code asks what kind of problem it has.
//
// The operation counts are estimates from sizes alone, in operations of a matrix product, so that default
// choices do not depend on the machine or its load. `nonzero` counts the nonzero coefficients of every fit.
class Method {
 public:
  virtual ~Method() = default;

  // The name in results (Fit::method).
  virtual std::string_view name() const = 0;
  // Whether the method takes the problem with these weights. The first method in the table of
  // routing/route.cpp that takes a problem owns it.
  virtual bool suits(const Problem& problem, const Vector& weights) const = 0;
  // The longest signal (a problem with an identity design) that it takes. The default is for methods with
  // dense matrices: n^2 numbers take 800 MB at 10,000 rows.
  virtual Index longest_signal() const { return 10'000; }

  virtual std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights,
                                         const FitOptions& options, Use use) const = 0;
  // How many fits of a path to ask for at once: enough to share matrix products, and few enough that a stop
  // is soon noticed.
  virtual std::size_t fits_at_once(const Problem& problem) const;

  // The pieces of the path between knots, where the solution is piecewise affine in lambda and the method
  // goes from knot to knot; else none.
  virtual std::unique_ptr<AffinePath> affine_path(const Problem& /*problem*/) const { return nullptr; }
  // H_ii of the leave-one-out formula, where they follow from the pattern of a fit; else empty.
  virtual Vector hat(const Problem& /*problem*/, const Fit& /*fit*/) const { return {}; }
  // Held-out predictions of exact leave-one-out (exact_leave_one_out); by refits unless the method has a
  // faster way.
  virtual ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits,
                                 const std::vector<Index>& rows, const ExactOptions& options,
                                 const Monitor& monitor) const;
  // For which rows the approximation provably equals exact leave-one-out (certify_rows).
  virtual std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit) const;

  // Operations of a path of falling lambdas, from the fits to approximate leave-one-out.
  virtual double path_flops(const Problem& problem, std::span<const Index> nonzero) const = 0;
  // Operations of exact() for so many rows at one lambda; finite for every method. By default that of one
  // fit per row.
  virtual double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const;
  // Operations of certify_rows() at one lambda.
  virtual double certify_rows_flops(const Problem& problem, Index nonzero) const;
};

// The method that owns a problem, with its own weights or others. Throws InvalidArgument where there is none.
// The table is in routing/route.cpp.
const Method& route(const Problem& problem);
const Method& route(const Problem& problem, const Vector& weights);

}  // namespace alo
