// SPDX-License-Identifier: MIT
// Compares the operation counts of the methods (Method::path_flops and its like) with measured time, in
// operations of a matrix product on this machine. The factors of those functions were found with this table:
// where the ratios of a method are far from one, its counts are to be changed.
//
//     operation_counts [--quick] [--csv] [PART ...]
//
// One line for each problem: measured over counted operations of a path of 100 lambdas with approximate
// leave-one-out, of exact leave-one-out of all rows where the path has done three tenths, six tenths and all
// of its way, of that of one row in twenty in its middle, and of the certificates of the rows there. With
// PART only problems whose line contains one of the words. --csv prints the numbers that the ratios are made
// of. Times are those of the processor, so that other work on the machine disturbs little; set
// OPENBLAS_NUM_THREADS=1.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "count_cases.hpp"
#include "linalg/blas.hpp"
#include "solvers/method.hpp"
#include "stopwatch.hpp"

namespace {

using alo::Index;
using compare::CountCase;

// Work below this time is repeated, and the least time counts; work counted above the second is left out.
constexpr double short_seconds = 0.15;
constexpr int most_repetitions = 5;
constexpr double too_long_seconds = 8.0;

struct Options {
  bool quick = false;
  bool csv = false;
  std::vector<std::string> parts;
};

// The logarithms of measured over counted operations, by method and kind of work.
using Ratios = std::map<std::string, std::vector<double>>;

class Table {
 public:
  Table(const Options& options, double rate) : options_(options), rate_(rate) {}

  void measure(const CountCase& one);
  void print_means() const;

 private:
  struct Fitted {
    const alo::Problem& problem;
    const alo::Method& method;
    alo::Path path;
    std::vector<Index> nonzero;
    std::vector<double> degrees_of_freedom;
  };

  template <class Work>
  double operations(const Work& work) const;
  void note(const Fitted& fitted, const std::string& what, std::size_t at, double measured, double counted);
  void note_exact(const Fitted& fitted, const std::string& what, std::size_t at, Index every);

  Options options_;
  double rate_;
  std::string line_;
  Ratios ratios_;
};

// In units of a matrix product.
template <class Work>
double Table::operations(const Work& work) const {
  double least = 1e300;
  double total = 0.0;
  for (int k = 0; k < most_repetitions && (k == 0 || total < short_seconds); ++k) {
    const double before = compare::processor_seconds();
    work();
    const double seconds = compare::processor_seconds() - before;
    least = std::min(least, seconds);
    total += seconds;
  }
  return rate_ * least;
}

void Table::note(const Fitted& fitted, const std::string& what, std::size_t at, double measured,
                 double counted) {
  const std::string name(fitted.method.name());
  if (options_.csv) {
    std::printf("%s,%s,%s,%td,%.4g,%.4g\n", line_.c_str(), name.c_str(), what.c_str(), fitted.nonzero[at],
                measured, counted);
  } else {
    std::printf(" %8.2g", measured / counted);
  }
  if (measured > 0.0) ratios_[name + " " + what].push_back(std::log(measured / counted));
}

void Table::note_exact(const Fitted& fitted, const std::string& what, std::size_t at, Index every) {
  std::vector<Index> rows;
  for (Index i = 0; i < fitted.problem.rows(); i += every) rows.push_back(i);
  const std::span<const alo::Fit> fit(&fitted.path.fits[at], 1);
  const double counted = fitted.method.exact_flops(
      fitted.problem, {fitted.nonzero[at], fitted.degrees_of_freedom[at]}, static_cast<Index>(rows.size()));
  const bool too_long = counted > rate_ * too_long_seconds;
  const double measured =
      too_long ? 0.0 : operations([&] { alo::exact_leave_one_out(fitted.problem, fit, rows); });
  note(fitted, what, at, measured, counted);
}

void Table::measure(const CountCase& one) {
  const alo::Problem problem = compare::make_problem(one);
  line_ = fmt::format(fmt::runtime(options_.csv ? "{},{},{},{}" : "{:<14} {:<13} {:>6} {:>6}"), one.loss,
                      one.penalty, one.rows, one.columns);
  Fitted fitted{problem, alo::route(problem), {}, {}, {}};
  const double path = operations([&] {
    alo::PathSolver solver(problem, {.carry_hat = true});
    fitted.path = solver.fit_path(solver.grid());
    fitted.degrees_of_freedom.assign(fitted.path.fits.size(), 0.0);
    if (!alo::has_approximation(problem)) return;
    for (std::size_t k = 0; k < fitted.path.fits.size(); ++k) {
      fitted.degrees_of_freedom[k] =
          alo::approximate_leave_one_out(problem, fitted.path.fits[k]).degrees_of_freedom;
    }
  });
  for (const alo::Fit& fit : fitted.path.fits) {
    fitted.nonzero.push_back((fit.coefficients.array() != 0.0).count());
  }
  const std::size_t last = fitted.path.fits.size() - 1;
  if (!options_.csv) {
    std::printf("%s %-22s %6td", line_.c_str(), std::string(fitted.method.name()).c_str(),
                fitted.nonzero[last]);
  }
  note(fitted, "path", last, path, fitted.method.path_flops(problem, fitted.nonzero));
  note_exact(fitted, "exact early", 3 * last / 10, 1);
  note_exact(fitted, "exact middle", 6 * last / 10, 1);
  note_exact(fitted, "exact last", last, 1);
  note_exact(fitted, "exact few", last / 2, 20);
  const alo::Fit& middle = fitted.path.fits[last / 2];
  note(fitted, "certify", last / 2, operations([&] { alo::certify_rows(problem, middle); }),
       fitted.method.certify_rows_flops(problem, fitted.nonzero[last / 2]));
  if (!options_.csv) std::printf("\n");
  std::fflush(stdout);
}

void Table::print_means() const {
  std::printf("\nGeometric means and the share within a factor of two:\n");
  for (const auto& [name, logarithms] : ratios_) {
    const auto count = static_cast<double>(logarithms.size());
    const double mean = std::accumulate(logarithms.begin(), logarithms.end(), 0.0) / count;
    const auto good = std::count_if(logarithms.begin(), logarithms.end(),
                                    [](double ratio) { return std::abs(ratio) <= std::log(2.0); });
    std::printf("%-40s %6.2f  %3.0f %% of %zu\n", name.c_str(), std::exp(mean),
                100.0 * static_cast<double>(good) / count, logarithms.size());
  }
}

// Operations per second of the product of two square matrices, by the time of the processor.
double product_rate(Index size) {
  const alo::Matrix a = alo::Matrix::Random(size, size);
  const alo::Matrix b = alo::Matrix::Random(size, size);
  double least = 1e300;
  for (int k = 0; k < 10; ++k) {
    const double before = compare::processor_seconds();
    const alo::Matrix c = alo::blas::multiply(a, b);
    const double seconds = compare::processor_seconds() - before;
    if (c.allFinite()) least = std::min(least, seconds);
  }
  return 2.0 * std::pow(static_cast<double>(size), 3) / least;
}

bool is_wanted(const CountCase& one, const Options& options) {
  const std::string words = fmt::format("{} {} {} {}", one.loss, one.penalty, one.rows, one.columns);
  return options.parts.empty() ||
         std::any_of(options.parts.begin(), options.parts.end(),
                     [&](const auto& part) { return words.find(part) != std::string::npos; });
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  for (int k = 1; k < count; ++k) {
    const std::string word = arguments[k];
    options.quick = options.quick || word == "--quick";
    options.csv = options.csv || word == "--csv";
    if (word.rfind("--", 0) != 0) options.parts.push_back(word);
  }
  const double rate = product_rate(options.quick ? 200 : 1000);
  if (options.csv) {
    std::printf("loss,penalty,rows,columns,method,what,nonzero,measured,counted\n");
  } else {
    std::printf("%.1f GFlop/s\n%-14s %-13s %6s %6s %-22s %6s %8s %8s %8s %8s %8s %8s\n", 1e-9 * rate, "loss",
                "penalty", "rows", "cols", "method", "active", "path", "early", "middle", "last", "few",
                "certify");
  }
  Table table(options, rate);
  for (const CountCase& one : options.quick ? compare::quick_count_cases() : compare::count_cases()) {
    if (is_wanted(one, options)) table.measure(one);
  }
  if (!options.csv) table.print_means();
  return 0;
}
