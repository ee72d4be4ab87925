// SPDX-License-Identifier: MIT
// A dictionary of Python's settings as those of the library.
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "alo/error.hpp"
#include "bind.hpp"

namespace alo::python {

namespace {

// Bounds that only keep numbers within an int, as those of the command.
constexpr double largest_int = std::numeric_limits<int>::max();
constexpr double most_lambdas = 100000;
constexpr double most_threads = 128;

// Takes values out of a dictionary one by one, so that what is left in the end is unknown.
class Reader {
 public:
  explicit Reader(const nb::dict& given) {
    for (const auto& [key, value] : given) left_[key] = value;
  }

  // Calls `set` with the value, if there is one.
  template <class T, class Set>
  void take(const char* name, const char* kind, const Set& set) {
    if (!left_.contains(name)) return;
    const nb::object value = left_[name];
    PyDict_DelItemString(left_.ptr(), name);
    T converted{};
    if (nb::isinstance<nb::bool_>(value) != std::is_same_v<T, bool> || !nb::try_cast(value, converted)) {
      throw InvalidArgument(
          fmt::format("{}={} is not {}", name, nb::cast<std::string>(nb::repr(value)), kind));
    }
    set(std::move(converted));
  }

  void take(const char* name, std::optional<double>& target) {
    take<double>(name, "a number", [&](double value) { target = value; });
  }
  void take(const char* name, bool& target) {
    take<bool>(name, "True or False", [&](bool value) { target = value; });
  }
  void take(const char* name, std::optional<bool>& target) {
    take<bool>(name, "True or False", [&](bool value) { target = value; });
  }
  void take(const char* name, std::optional<std::string>& target) {
    take<std::string>(name, "a name", [&](std::string value) { target = std::move(value); });
  }
  // A number that `allows` says is within its domain.
  template <class Allows, class Set>
  void take_number(const char* name, const char* domain, const Allows& allows, const Set& set) {
    take<double>(name, "a number", [&](double value) {
      if (!allows(value)) throw InvalidArgument(fmt::format("{}={} is not {}", name, value, domain));
      set(value);
    });
  }
  template <class Set>
  void take_count(const char* name, double least, double most, const Set& set) {
    const std::string domain = fmt::format("a whole number from {} to {}", least, most);
    take_number(
        name, domain.c_str(),
        [&](double value) { return value >= least && value <= most && value == std::floor(value); }, set);
  }
  template <class T, class Target>
  void take_word(const char* name, const Words<T>& words, Target& target) {
    take<std::string>(name, "a name", [&](const std::string& given) {
      std::vector<std::string> known;
      for (const auto& [word, value] : words) {
        if (word == given) {
          target = value;
          return;
        }
        known.push_back(word);
      }
      const auto near = nearest_name(given, known);
      throw InvalidArgument(fmt::format("{}='{}'{}; it is one of: {}", name, given,
                                        near ? fmt::format(" (did you mean '{}'?)", *near) : "",
                                        fmt::join(known, ", ")));
    });
  }

  void refuse_rest() const {
    for (const auto& [key, value] : left_) {
      throw InvalidArgument(fmt::format("there is no setting {}", nb::cast<std::string>(nb::str(key))));
    }
  }

 private:
  nb::dict left_;
};

SparseMatrix to_sparse(const Design& design) {
  if (design.is_sparse()) return design.sparse_values();
  return design.dense_values().sparseView();
}

Edges to_edges(const IndexArray& ends) {
  Edges edges;
  for (std::size_t k = 0; k + 1 < ends.shape(0); k += 2)
    edges.emplace_back(ends.data()[k], ends.data()[k + 1]);
  return edges;
}

void take_terms(Reader& reader, ModelSettings& model) {
  reader.take<NumberArray>("penalty_weights", "an array of numbers",
                           [&](const NumberArray& value) { model.penalty_weights = to_vector(value); });
  reader.take<Design>("penalty_matrix", "a matrix",
                      [&](const Design& value) { model.penalty_matrix = to_sparse(value); });
  reader.take<IndexArray>("graph", "a list of pairs",
                          [&](const IndexArray& value) { model.edges = to_edges(value); });
  reader.take<IndexArray>("groups", "a list of groups", [&](const IndexArray& value) {
    model.groups.emplace();
    model.groups->of_coefficient.assign(value.data(), value.data() + value.shape(0));
  });
  using Sides = std::pair<Index, Index>;
  const auto check_sides = [](const char* name, const Sides& sides) {
    if (std::min(sides.first, sides.second) >= 1) return;
    throw InvalidArgument(
        fmt::format("{}=({}, {}) is not two numbers from 1", name, sides.first, sides.second));
  };
  reader.take<Sides>("grid", "a pair of rows and columns", [&](const Sides& value) {
    check_sides("grid", value);
    model.grid = value;
  });
  reader.take<Sides>("shape", "a pair of rows and columns", [&](const Sides& value) {
    check_sides("shape", value);
    model.shape = MatrixShape{value.first, value.second};
  });
  reader.take_count("order", 1, largest_order, [&](double value) { model.order = static_cast<int>(value); });
  reader.take("sparse", model.sparse);
  reader.take_word("slope_shape", slope_shapes(), model.slope_shape);
  reader.take("slope_q", model.slope_q);
  reader.take("smoothing", model.smoothing);
}

void take_model(Reader& reader, ModelSettings& model) {
  reader.take("loss", model.loss);
  reader.take<std::string>("positive", "a label",
                           [&](std::string value) { model.positive = std::move(value); });
  reader.take("delta", model.delta);
  reader.take("quantile", model.quantile);
  reader.take("epsilon", model.epsilon);
  reader.take("penalty", model.penalty);
  reader.take("mix", model.mix);
  reader.take("ridge", model.ridge);
  reader.take_word("kernel", kernel_kinds(), model.kernel);
  reader.take("gamma", model.gamma);
  reader.take_count("degree", 1, largest_degree,
                    [&](double value) { model.degree = static_cast<int>(value); });
  reader.take("coef0", model.coef0);
  reader.take("intercept", model.intercept);
  reader.take("standardize", model.standardize);
}

// Whether any of them describes a grid.
bool take_path(Reader& reader, TuneOptions& tune) {
  bool grid_given = false;
  reader.take<NumberArray>("lambdas", "an array of numbers", [&](const NumberArray& values) {
    tune.lambdas.assign(values.data(), values.data() + values.shape(0));
    if (tune.lambdas.empty()) throw InvalidArgument("lambdas is empty; leave it out for a grid");
  });
  reader.take_count("n_lambdas", 1, most_lambdas, [&](double value) {
    tune.grid.count = static_cast<int>(value);
    grid_given = true;
  });
  reader.take_number(
      "lambda_ratio", "between 0 and 1", [](double value) { return value > 0 && value < 1; },
      [&](double value) {
        tune.grid.ratio = value;
        grid_given = true;
      });
  reader.take<bool>("full_path", "True or False", [&](bool value) {
    tune.full_path = value;
    grid_given = grid_given || value;
  });
  return grid_given;
}

void take_held_out(Reader& reader, TuneOptions& tune) {
  reader.take<std::vector<std::string>>("metric", "a name or a list of names",
                                        [&](const std::vector<std::string>& names) {
                                          for (const std::string& name : names)
                                            tune.metrics.push_back(make_metric(name));
                                        });
  reader.take_word("rule", rules(), tune.rule);
  reader.take_word("search", searches(), tune.search);
  reader.take_word("framework", frameworks(), tune.framework);
  reader.take_word("choose", choosers(), tune.choose);
  reader.take_word("repair", repairs(), tune.repair);
  reader.take_number(
      "effort", "a number of at least 0", [](double value) { return value >= 0; },
      [&](double value) { tune.effort = value; });
  reader.take("exact", tune.exact);
  reader.take("predictions", tune.keep_rows);
  const auto count = [](auto& target) {
    return [&target](double value) { target = static_cast<int>(value); };
  };
  reader.take_count("folds", 2, largest_int, count(tune.folds));
  reader.take_count("outer", 2, largest_int, count(tune.outer_folds));
  reader.take_count("sample", static_cast<double>(least_check_rows), largest_int,
                    [&](double value) { tune.check_rows = static_cast<Index>(value); });
  tune.threads = default_threads();
  reader.take_count("threads", 1, most_threads, count(tune.threads));
  reader.take<std::uint64_t>("seed", "a whole number from 0",
                             [&](std::uint64_t value) { tune.seed = value; });
}

}  // namespace

Settings read_settings(const nb::dict& given) {
  Settings settings;
  Reader reader(given);
  take_model(reader, settings.model);
  take_terms(reader, settings.model);
  const bool grid_given = take_path(reader, settings.tune);
  take_held_out(reader, settings.tune);
  reader.take<std::string>("design", "a name", [&](const std::string& name) {
    settings.model.design = name == "identity" ? DesignKind::identity : DesignKind::columns;
  });
  reader.take_number(
      "time_limit", "a number above 0", [](double value) { return value > 0; },
      [&](double value) { settings.time_limit = value; });
  reader.refuse_rest();
  check_settings(settings.tune, grid_given, spell);
  check_settings(settings.model, spell);
  return settings;
}

}  // namespace alo::python
