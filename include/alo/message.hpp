// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alo {

// The settings that messages speak of. Every front end has them and spells them in its own way, as an
// option or as an argument, so messages say in plain words what to change and carry the settings beside
// their text.
enum class Setting {
  // of reading a file
  target,
  response,
  drop,
  weights,
  weights_are,
  offset,
  design,
  left,
  right,
  format,
  skip,
  missing,
  shape,
  // of the model
  loss,
  positive,
  mix,
  ridge,
  sparse,
  // of the path and of leave-one-out
  lambda,
  lambda_ratio,
  exact,
  folds,
  repair,
  effort,
  choose,
  sample,
  outer,
  // of what is written
  out,
  type,
};

// Their names, in words joined by hyphens.
inline constexpr std::array<std::pair<Setting, std::string_view>, 29> setting_names = {{
    {Setting::target, "target"},
    {Setting::response, "response"},
    {Setting::drop, "drop"},
    {Setting::weights, "weights"},
    {Setting::weights_are, "weights-are"},
    {Setting::offset, "offset"},
    {Setting::design, "design"},
    {Setting::left, "left"},
    {Setting::right, "right"},
    {Setting::format, "format"},
    {Setting::skip, "skip"},
    {Setting::missing, "missing"},
    {Setting::shape, "shape"},
    {Setting::loss, "loss"},
    {Setting::positive, "positive"},
    {Setting::mix, "mix"},
    {Setting::ridge, "ridge"},
    {Setting::sparse, "sparse"},
    {Setting::lambda, "lambda"},
    {Setting::lambda_ratio, "lambda-ratio"},
    {Setting::exact, "exact"},
    {Setting::folds, "folds"},
    {Setting::repair, "repair"},
    {Setting::effort, "effort"},
    {Setting::choose, "choose"},
    {Setting::sample, "sample"},
    {Setting::outer, "outer"},
    {Setting::out, "out"},
    {Setting::type, "type"},
}};

// A setting that a message is about, and the value to give it, if there is one to name ("drop-rows").
struct Hint {
  Setting setting;
  std::string value = "";

  bool operator==(const Hint&) const = default;
};

// A sentence for the user, complete without its hints.
struct Message {
  Message(std::string words, std::vector<Hint> about = {})  // NOLINT(google-explicit-constructor)
      : text(std::move(words)), hints(std::move(about)) {}

  std::string text;
  std::vector<Hint> hints;
};

// How a front end says a message, hints included. An empty function stands for the text alone.
using Wording = std::function<std::string(const Message&)>;

}  // namespace alo
