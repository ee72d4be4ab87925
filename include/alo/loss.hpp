// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <string>

#include "alo/types.hpp"

namespace alo {

// The kind of response that a loss takes.
enum class ResponseKind {
  number,
  two_classes,  // -1 and +1
  classes,      // 0, 1, ..., K - 1
};

// l, l' and l'' at once, each laid out as the method of that name returns it.
struct LossValues {
  Vector value;
  Vector derivative;
  Vector curvature;
};

// The kinks of a loss that is piecewise linear in u. Every row has the same number m of them.
struct Kinks {
  Matrix position;  // n x m, ascending along each row
  // n x (m + 1): l' on the pieces from left to right, ascending, with s_0 <= 0 <= s_m
  Matrix slope;
};

// A loss l(u; y), convex in the linear predictor u. Each method is called once per vector, never per row.
// Weights are applied by the caller. `derivative` is l', never its negative. With K outputs u has n K
// entries, output after output (types.hpp), and so has the derivative. For an extreme u the value may be
// infinite, but no method returns NaN.
//
// Three further methods are optional. `LossValues evaluate(u, y)` serves losses whose value, derivative and
// curvature share their work; by default the three are called. `std::string describe()` says the parameters
// ("huber loss (delta 1.3)"); by default it is the name. `Kinks kinks(y)` marks a piecewise linear loss,
// whose derivative at a kink is the subgradient nearest to zero.
template <class T>
concept LossModel = requires(const T& loss, const VectorView& u, const VectorView& y) {
  { loss.name() } -> std::convertible_to<std::string>;
  // K, the number of linear predictors per row
  { loss.outputs() } -> std::same_as<Index>;
  { loss.response_kind() } -> std::same_as<ResponseKind>;
  // l(u_i; y_i), n values; l'(u_i; y_i), n K values; l''(u_i; y_i), n K K values, with entry (j, k) of all
  // rows starting at position n (j + K k)
  { loss.value(u, y) } -> std::same_as<Vector>;
  { loss.derivative(u, y) } -> std::same_as<Vector>;
  { loss.curvature(u, y) } -> std::same_as<Vector>;
  // The Fenchel gap l(u_i; y_i) + l*(g_i; y_i) - g_i u_i >= 0 of each row, its part of a duality gap. It
  // must be computed without cancellation, because certificates compare it with 1e-10 of the loss. It is
  // infinite where g_i is outside the domain of the conjugate l*.
  { loss.fenchel_gap(u, u, y) } -> std::same_as<Vector>;
  // min_u l(u; y_i)
  { loss.minimum(y) } -> std::same_as<Vector>;
  // The prediction on the scale of the response, n K values: the mean, or the probability of +1 or of each
  // class
  { loss.mean(u) } -> std::same_as<Vector>;
  // Throws InvalidData, which names the row and the rule, for a response outside the domain of the loss.
  { loss.check_response(y) } -> std::same_as<void>;
  // True when l'' does not depend on u. Then one linear system gives a fit, and the leave-one-out step is
  // exact as long as the pattern of zeros does not change.
  { loss.is_quadratic() } -> std::same_as<bool>;
};

// A copyable handle over any LossModel.
class Loss {
 public:
  template <LossModel T>
  Loss(T model)
      : model_(std::make_shared<Holder<T>>(std::move(model))) {}  // NOLINT(google-explicit-constructor)

  std::string name() const { return model_->name(); }
  std::string describe() const { return model_->describe(); }
  Index outputs() const { return model_->outputs(); }
  ResponseKind response_kind() const { return model_->response_kind(); }
  Vector value(const VectorView& u, const VectorView& y) const { return model_->value(u, y); }
  Vector derivative(const VectorView& u, const VectorView& y) const { return model_->derivative(u, y); }
  Vector curvature(const VectorView& u, const VectorView& y) const { return model_->curvature(u, y); }
  LossValues evaluate(const VectorView& u, const VectorView& y) const { return model_->evaluate(u, y); }
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
    return model_->fenchel_gap(u, g, y);
  }
  Vector minimum(const VectorView& y) const { return model_->minimum(y); }
  Vector mean(const VectorView& u) const { return model_->mean(u); }
  void check_response(const VectorView& y) const { model_->check_response(y); }
  bool is_quadratic() const { return model_->is_quadratic(); }
  bool has_kinks() const { return model_->has_kinks(); }
  // Only for a loss that has kinks.
  Kinks kinks(const VectorView& y) const { return model_->kinks(y); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string name() const = 0;
    virtual std::string describe() const = 0;
    virtual Index outputs() const = 0;
    virtual ResponseKind response_kind() const = 0;
    virtual Vector value(const VectorView& u, const VectorView& y) const = 0;
    virtual Vector derivative(const VectorView& u, const VectorView& y) const = 0;
    virtual Vector curvature(const VectorView& u, const VectorView& y) const = 0;
    virtual LossValues evaluate(const VectorView& u, const VectorView& y) const = 0;
    virtual Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const = 0;
    virtual Vector minimum(const VectorView& y) const = 0;
    virtual Vector mean(const VectorView& u) const = 0;
    virtual void check_response(const VectorView& y) const = 0;
    virtual bool is_quadratic() const = 0;
    virtual bool has_kinks() const = 0;
    virtual Kinks kinks(const VectorView& y) const = 0;
  };
  template <LossModel T>
  struct Holder final : Interface {
    explicit Holder(T m) : model(std::move(m)) {}
    std::string name() const override { return model.name(); }
    std::string describe() const override {
      if constexpr (requires { model.describe(); }) {
        return model.describe();
      } else {
        return model.name() + " loss";
      }
    }
    Index outputs() const override { return model.outputs(); }
    ResponseKind response_kind() const override { return model.response_kind(); }
    Vector value(const VectorView& u, const VectorView& y) const override { return model.value(u, y); }
    Vector derivative(const VectorView& u, const VectorView& y) const override {
      return model.derivative(u, y);
    }
    Vector curvature(const VectorView& u, const VectorView& y) const override {
      return model.curvature(u, y);
    }
    LossValues evaluate(const VectorView& u, const VectorView& y) const override {
      if constexpr (requires { model.evaluate(u, y); }) {
        return model.evaluate(u, y);
      } else {
        return {model.value(u, y), model.derivative(u, y), model.curvature(u, y)};
      }
    }
    Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const override {
      return model.fenchel_gap(u, g, y);
    }
    Vector minimum(const VectorView& y) const override { return model.minimum(y); }
    Vector mean(const VectorView& u) const override { return model.mean(u); }
    void check_response(const VectorView& y) const override { model.check_response(y); }
    bool is_quadratic() const override { return model.is_quadratic(); }
    bool has_kinks() const override {
      return requires(const VectorView& y) {
        model.kinks(y);
      };
    }
    Kinks kinks(const VectorView& y) const override {
      if constexpr (requires { model.kinks(y); }) {
        return model.kinks(y);
      } else {
        return {Matrix(y.size(), 0), Matrix(y.size(), 0)};
      }
    }
    T model;
  };
  std::shared_ptr<const Interface> model_;
};

}  // namespace alo
