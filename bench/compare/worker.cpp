// SPDX-License-Identifier: MIT
// Simulates data or loads them and times alo's lasso, support vector machine or nuclear norm on them, as the
// tables of this folder ask on standard input, one command a line:
//
//   dense LOSS ROWS COLUMNS EFFECTS SEED CORRELATION LAMBDAS RATIO    the data and their grid of lambda
//   sparse LOSS ROWS COLUMNS EFFECTS SEED NOISE_VARIANCE ENTRIES LAMBDAS RATIO
//   svm ROWS COLUMNS SEED EFFECT_VARIANCE LAMBDAS FIRST LAST    hinge with a ridge; of log lambda
//   matrix ROWS P1 P2 RANK SEED NOISE_VARIANCE LAMBDAS FIRST LAST    squared loss with a nuclear norm
//   load LOSS FOLDER ROWS COLUMNS LAMBDAS RATIO      X and y, as write leaves them
//   write FOLDER             X, y and lambda, as doubles, by columns
//   fit                      the path
//   coefficients FILE        of the path that was fitted last: p x number of lambda
//   certify FILE             the largest gap of such coefficients, whoever fitted them
//   certificate              the largest gap and kkt of the path that was fitted last
//   fit_alo                  the path and approximate leave-one-out at every lambda
//   held_out FILE            the predictions of the last of these: n x number of lambda
//   memory                   the same as fit_alo, dropping the fits as tune does
//   exact FIRST COUNT LIMIT  exact leave-one-out of every row at these lambda, from the fits of all rows, for
//                            so many seconds at most (0: any)
//   refit ROWS               the same for a few rows, by fits of data without the row; difference to exact
//   dgemm SIZE, triad LENGTH
//
// Each is answered by one line of names and numbers.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/nuclear.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/registry.hpp"
#include "machine.hpp"
#include "plain.hpp"
#include "simulate.hpp"
#include "stopwatch.hpp"

namespace compare {

namespace {

using alo::Index;
using Numbers = std::vector<std::pair<std::string, double>>;

struct Session {
  std::optional<alo::Problem> problem;
  std::vector<double> lambdas;
  alo::Path path;
  std::vector<alo::LeaveOneOut> approximate;
  std::vector<double> exact_lambdas;
  std::vector<alo::LeaveOneOut> exact;
};

template <class Value>
Value next(std::istream& words) {
  Value value{};
  if (!(words >> value)) throw std::runtime_error("a word is missing or not a number");
  return value;
}

Simulation read_simulation(std::istream& words) {
  Simulation simulation;
  simulation.loss = next<std::string>(words);
  simulation.rows = next<Index>(words);
  simulation.columns = next<Index>(words);
  simulation.effects = next<Index>(words);
  simulation.seed = next<std::uint64_t>(words);
  return simulation;
}

Numbers set_problem(Session& session, const std::string& loss, alo::Dataset data, std::istream& words) {
  session = {};
  session.problem.emplace(plain_problem(std::move(data), alo::make_loss(loss), alo::Lasso{}));
  alo::GridOptions grid;
  grid.count = next<int>(words);
  grid.ratio = next<double>(words);
  session.lambdas = alo::lambda_grid(*session.problem, grid);
  return {};
}

Numbers dense(Session& session, std::istream& words) {
  const Simulation simulation = read_simulation(words);
  return set_problem(session, simulation.loss, simulate_dense(simulation, next<double>(words)), words);
}

Numbers sparse(Session& session, std::istream& words) {
  Simulation simulation = read_simulation(words);
  simulation.noise_variance = next<double>(words);
  return set_problem(session, simulation.loss, simulate_sparse(simulation, next<Index>(words)), words);
}

// A grid that is equally spaced in log lambda.
std::vector<double> log_grid(std::istream& words) {
  std::vector<double> lambdas(next<std::size_t>(words));
  const auto first = next<double>(words);
  const auto last = next<double>(words);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(lambdas.size() - 1);
    lambdas[k] = std::exp(first + share * (last - first));
  }
  return lambdas;
}

Numbers svm(Session& session, std::istream& words) {
  Simulation simulation;
  simulation.loss = "hinge";
  simulation.rows = next<Index>(words);
  simulation.columns = next<Index>(words);
  simulation.seed = next<std::uint64_t>(words);
  simulation.effect_variance = next<double>(words);
  session = {};
  session.problem.emplace(
      plain_problem(simulate_dense(simulation, 0.0), alo::make_loss(simulation.loss), alo::Ridge{}));
  session.lambdas = log_grid(words);
  return {};
}

Numbers matrix(Session& session, std::istream& words) {
  Simulation simulation;
  simulation.rows = next<Index>(words);
  const auto left = next<Index>(words);
  const auto right = next<Index>(words);
  simulation.shape = {left, right};
  simulation.columns = left * right;
  simulation.effects = next<Index>(words);
  simulation.seed = next<std::uint64_t>(words);
  simulation.noise_variance = next<double>(words);
  session = {};
  session.problem.emplace(plain_problem(simulate_dense(simulation, 0.0), alo::make_loss(simulation.loss),
                                        alo::NuclearNorm(*simulation.shape)));
  session.lambdas = log_grid(words);
  return {};
}

alo::Matrix read_doubles(const std::string& path, Index rows, Index columns) {
  std::ifstream file(path, std::ios::binary);
  alo::Matrix values(rows, columns);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * Index{sizeof(double)}));
  if (!file) throw std::runtime_error(path + " cannot be read");
  return values;
}

Numbers load(Session& session, std::istream& words) {
  const auto loss = next<std::string>(words);
  const auto folder = next<std::string>(words);
  const auto rows = next<Index>(words);
  const auto columns = next<Index>(words);
  alo::Design design(read_doubles(folder + "/X", rows, columns));
  alo::Vector response = read_doubles(folder + "/y", rows, 1);
  return set_problem(session, loss, alo::make_dataset(std::move(design), std::move(response)), words);
}

void write_doubles(std::ostream& file, const double* values, Index count) {
  file.write(reinterpret_cast<const char*>(values),
             static_cast<std::streamsize>(count * Index{sizeof(double)}));
}

std::ofstream open(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  return file;
}

Numbers write(Session& session, std::istream& words) {
  const auto folder = next<std::string>(words);
  const alo::Dataset& data = session.problem.value().data();
  std::ofstream x = open(folder + "/X");
  write_doubles(x, data.design.dense_values().data(), data.design.stored_entries());
  std::ofstream y = open(folder + "/y");
  write_doubles(y, data.response.data(), data.rows());
  std::ofstream lambda = open(folder + "/lambda");
  write_doubles(lambda, session.lambdas.data(), static_cast<Index>(session.lambdas.size()));
  return {};
}

Numbers fit(Session& session, std::istream&) {
  return {{"seconds", seconds_of([&] { session.path = alo::fit_path(*session.problem, session.lambdas); })}};
}

Numbers coefficients(Session& session, std::istream& words) {
  std::ofstream file = open(next<std::string>(words));
  for (const alo::Fit& fit : session.path.fits) {
    write_doubles(file, fit.coefficients.data(), fit.coefficients.size());
  }
  return {};
}

Numbers certify(Session& session, std::istream& words) {
  const Index columns = session.problem.value().columns();
  const auto count = static_cast<Index>(session.lambdas.size());
  const alo::Matrix values = read_doubles(next<std::string>(words), columns, count);
  std::vector<alo::Fit> fits(session.lambdas.size());
  for (Index k = 0; k < count; ++k) {
    alo::Fit& fit = fits[static_cast<std::size_t>(k)];
    fit.lambda = session.lambdas[static_cast<std::size_t>(k)];
    fit.intercept = alo::Vector::Zero(1);
    fit.coefficients = values.col(k);
  }
  alo::Certifier(*session.problem).certify(fits);
  double largest = 0.0;
  for (const alo::Fit& fit : fits) largest = std::max(largest, fit.certificate.gap.value());
  return {{"gap", largest}};
}

Numbers certificate(Session& session, std::istream&) {
  double gap = 0.0;
  double kkt = 0.0;
  for (const alo::Fit& fit : session.path.fits) {
    gap = std::max(gap, fit.certificate.gap.value());
    kkt = std::max(kkt, fit.certificate.kkt);
  }
  return {{"gap", gap}, {"kkt", kkt}};
}

Numbers fit_alo(Session& session, std::istream&) {
  session.approximate.clear();
  const double before = processor_seconds();
  const double seconds = seconds_of([&] {
    session.path = alo::fit_path(*session.problem, session.lambdas, {.carry_hat = true});
    for (const alo::Fit& fit : session.path.fits) {
      session.approximate.push_back(alo::approximate_leave_one_out(*session.problem, fit));
    }
  });
  const double processor = processor_seconds() - before;
  Index undefined = 0;
  for (const alo::LeaveOneOut& rows : session.approximate) undefined += rows.undefined();
  return {{"seconds", seconds}, {"processor", processor}, {"undefined", static_cast<double>(undefined)}};
}

Numbers held_out(Session& session, std::istream& words) {
  std::ofstream file = open(next<std::string>(words));
  for (const alo::LeaveOneOut& rows : session.approximate) {
    write_doubles(file, rows.linear_predictor.data(), rows.linear_predictor.size());
  }
  return {};
}

// The bytes of the values of X, and of the indices of a sparse one.
double design_bytes(const alo::Design& design) {
  if (!design.is_sparse()) return static_cast<double>(design.stored_entries() * Index{sizeof(double)});
  using Place = alo::SparseMatrix::StorageIndex;
  return static_cast<double>(design.stored_entries() * Index{sizeof(double) + sizeof(Place)} +
                             (design.columns() + 1) * Index{sizeof(Place)});
}

Numbers memory(Session& session, std::istream&) {
  Index active = 0;
  const double before = peak_memory();
  const double processor_before = processor_seconds();
  const double seconds = seconds_of([&] {
    alo::PathSolver solver(*session.problem, {.carry_hat = true});
    std::span<const double> rest(session.lambdas);
    while (!rest.empty()) {
      const std::size_t count = std::min(rest.size(), alo::PathSolver::fits_at_once(*session.problem));
      for (const alo::Fit& fit : solver.fit(rest.first(count))) {
        alo::approximate_leave_one_out(*session.problem, fit);
        active = std::max(active, alo::fit_geometry(*session.problem, fit).dimension());
      }
      rest = rest.subspan(count);
    }
  });
  return {{"seconds", seconds},
          {"processor", processor_seconds() - processor_before},
          {"active", static_cast<double>(active)},
          {"design_bytes", design_bytes(session.problem->design())},
          {"peak_before", before},
          {"peak", peak_memory()}};
}

Numbers exact(Session& session, std::istream& words) {
  if (session.path.fits.empty()) fit(session, words);
  const auto first = next<std::size_t>(words);
  const auto count = next<std::size_t>(words);
  const auto limit = next<double>(words);
  const std::span chosen = std::span<const alo::Fit>(session.path.fits).subspan(first, count);
  std::vector<Index> rows(static_cast<std::size_t>(session.problem->rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  alo::ExactLeaveOneOut result;
  const auto start = std::chrono::steady_clock::now();
  const auto is_late = [&] {
    return limit > 0.0 &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > limit;
  };
  const double seconds = seconds_of([&] {
    result = alo::exact_leave_one_out(*session.problem, chosen, rows, {},
                                      {.progress = {}, .should_stop = is_late});
  });
  session.exact_lambdas.clear();
  for (const alo::Fit& fit : chosen) session.exact_lambdas.push_back(fit.lambda);
  session.exact = std::move(result.values);
  return {{"seconds", seconds},
          {"missed", static_cast<double>(result.missed())},
          {"complete", result.complete ? 1.0 : 0.0}};
}

// The largest difference of a held-out prediction from a refit, relative to the root mean square of y.
Numbers refit(Session& session, std::istream& words) {
  const auto sample = next<Index>(words);
  const alo::Dataset& data = session.problem->data();
  double largest = 0.0;
  for (Index k = 0; k < sample; ++k) {
    const Index row = (2 * k + 1) * data.rows() / (2 * sample);
    const alo::Path path = alo::fit_path(without_row(*session.problem, row), session.exact_lambdas);
    for (std::size_t l = 0; l < session.exact.size(); ++l) {
      const double prediction = data.design.row(row).dot(path.fits[l].coefficients);
      largest = std::max(largest, std::abs(session.exact[l].linear_predictor[row] - prediction));
    }
  }
  return {
      {"difference", largest / std::sqrt(data.response.squaredNorm() / static_cast<double>(data.rows()))}};
}

Numbers dgemm(Session&, std::istream& words) {
  return {{"rate", dgemm_rate(next<Index>(words))}};
}

Numbers triad(Session&, std::istream& words) {
  return {{"rate", triad_rate(next<Index>(words))}};
}

using Command = Numbers (*)(Session&, std::istream&);
const std::map<std::string, Command> commands = {{"dense", dense},     {"sparse", sparse},
                                                 {"svm", svm},         {"matrix", matrix},
                                                 {"load", load},       {"write", write},
                                                 {"fit", fit},         {"coefficients", coefficients},
                                                 {"certify", certify}, {"certificate", certificate},
                                                 {"fit_alo", fit_alo}, {"held_out", held_out},
                                                 {"memory", memory},   {"exact", exact},
                                                 {"refit", refit},     {"dgemm", dgemm},
                                                 {"triad", triad}};

void serve(std::istream& input, std::ostream& output) {
  Session session;
  output.precision(17);
  for (std::string line; std::getline(input, line);) {
    std::istringstream words(line);
    const auto name = next<std::string>(words);
    for (const auto& [key, value] : commands.at(name)(session, words)) output << key << ' ' << value << ' ';
    output << std::endl;
  }
}

// Keeps freed memory, as the command does (cli/main.cpp).
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace

}  // namespace compare

int main() {
  compare::keep_freed_memory();
  try {
    compare::serve(std::cin, std::cout);
  } catch (const std::exception& error) {
    std::cerr << "compare_worker: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
