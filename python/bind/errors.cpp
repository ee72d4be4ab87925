// SPDX-License-Identifier: MIT
// Errors of the library as Python's, in Python's names.
#include <cstdlib>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "bind.hpp"

namespace alo::python {

namespace {

std::string parameter_name(Setting setting) {
  switch (setting) {
    case Setting::target:
    case Setting::response:
      return "y";
    case Setting::lambda:
      return "lambdas";
    case Setting::lambdas:
      return "n_lambdas";
    case Setting::weights:
      return "sample_weight";
    case Setting::out:
      return "folder";
    default:
      break;
  }
  for (const auto& [one, name] : setting_names) {
    if (one != setting) continue;
    std::string result(name);
    for (char& letter : result) letter = letter == '-' ? '_' : letter;
    return result;
  }
  return {};
}

// "8x8" is (8, 8), a number stands for itself, and words are quoted: 'group-lasso' and 'sparse-group-lasso'.
std::string literal(Setting setting, const std::string& value) {
  if (setting == Setting::shape || setting == Setting::grid) {
    const std::size_t cross = value.find('x');
    return fmt::format("({}, {})", value.substr(0, cross), value.substr(cross + 1));
  }
  char* end = nullptr;
  std::strtod(value.c_str(), &end);
  if (end == value.c_str() + value.size()) return value;
  std::string words = value;
  for (std::size_t at = words.find(" and "); at != std::string::npos; at = words.find(" and ", at + 7)) {
    words.replace(at, 5, "' and '");
  }
  return "'" + words + "'";
}

}  // namespace

std::string spell(Setting setting, std::string_view value) {
  const std::string name = parameter_name(setting);
  return value.empty() ? name : name + "=" + literal(setting, std::string(value));
}

std::string in_python(const Message& message) {
  std::string settings;
  for (const Hint& hint : message.hints) {
    settings += (settings.empty() ? "" : ", ") + spell(hint.setting, hint.value);
  }
  return settings.empty() ? message.text : message.text + " (" + settings + ")";
}

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const InvalidArgument& error) {
      PyErr_SetString(PyExc_ValueError, in_python(error.message()).c_str());
    } catch (const OutputError& error) {
      PyErr_SetString(PyExc_OSError, in_python(error.message()).c_str());
    } catch (const Error& error) {
      PyErr_SetString(PyExc_RuntimeError, in_python(error.message()).c_str());
    }
  });
}

}  // namespace alo::python
