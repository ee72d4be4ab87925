// SPDX-License-Identifier: MIT
#pragma once

#include "alo/dataset.hpp"
#include "report/json_text.hpp"
#include "report/model_reader.hpp"

namespace alo::report {

// Writes and reads the origin of a design of matrix entries, in a result and in a model.
Json matrix_object(const MatrixSource& source);
MatrixSource read_matrix_source(const ModelReader& reader);

}  // namespace alo::report
