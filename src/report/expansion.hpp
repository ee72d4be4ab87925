// SPDX-License-Identifier: MIT
#pragma once

#include "alo/report.hpp"
#include "report/json_text.hpp"
#include "report/model_reader.hpp"

namespace alo::report {

// Writes a fit with a kernel into model.json: the kernel, the rows of the expansion, and for each of them
// a_j = -(subgradient of row j) / lambda at both chosen lambdas (representer theorem).
void add_expansion(const KernelSource& source, const Fit& minimum, const Fit& one_se, Json& document);

SavedModel::Expansion read_expansion(const ModelReader& reader, std::size_t columns);

// The sum of the expansion at new rows, without intercept and offset.
Vector expand(const SavedModel::Expansion& expansion, const Vector& coefficients, const Design& design);

}  // namespace alo::report
