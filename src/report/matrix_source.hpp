// SPDX-License-Identifier: MIT
#pragma once

#include "alo/dataset.hpp"
#include "report/json_text.hpp"
#include "report/model_reader.hpp"

namespace alo::report {

// What the design of a matrix of coefficients was made from, in a result and in a model.
Json matrix_object(const MatrixSource& source);
MatrixSource read_matrix_source(const ModelReader& reader);

}  // namespace alo::report
