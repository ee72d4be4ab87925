// SPDX-License-Identifier: MIT
#include "bind.hpp"

NB_MODULE(_core, module) {
  module.doc() =
      "The C++ library alo: arrays in, results out. Use the package alo, which documents everything.";
  alo::python::bind_errors(module);
  alo::python::bind_design(module);
  alo::python::bind_registry(module);
  alo::python::bind_run(module);
  alo::python::bind_model(module);
}
