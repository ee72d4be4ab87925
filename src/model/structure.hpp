// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/model.hpp"

namespace alo {

// True for penalties on the singular values of a matrix of coefficients.
bool is_matrix_penalty(const std::string& penalty);

// Throws for parameters of other penalties than the chosen one, and for a penalty without its required ones.
void check_structure(const ModelSettings& settings, const Spelling& spelling);

// The parameters with those of the penalty that relate coefficients to each other, checked against the
// columns. Sentences on what was made of them go to the notes.
ModelParameters with_structure(const ModelSettings& settings, ModelParameters parameters, const Dataset& data,
                               std::vector<std::string>& notes, const Spelling& spelling);

}  // namespace alo
