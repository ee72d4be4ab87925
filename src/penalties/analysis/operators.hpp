// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "alo/analysis_operator.hpp"
#include "alo/structure.hpp"

namespace alo {

// The structures of D; GeneralizedLasso says what each is for.

// Differences of order k >= 1 of coefficients in a row.
std::shared_ptr<const AnalysisOperator> chain_differences(Index columns, int order);
// Differences along the edges of a graph.
std::shared_ptr<const AnalysisOperator> graph_differences(Index columns, const Edges& edges);
// The same, followed by all coefficients themselves times a finite factor above zero.
std::shared_ptr<const AnalysisOperator> sparse_graph_differences(Index columns, const Edges& edges,
                                                                 double factor);
// The details of the Haar wavelet: orthonormal rows.
std::shared_ptr<const AnalysisOperator> haar_wavelet(Index columns);
// Any matrix. Throws InvalidData where an entry is not finite, InvalidArgument where it is too large to be
// factored as a dense one.
std::shared_ptr<const AnalysisOperator> matrix_operator(const SparseMatrix& matrix);
// The structure that the entries of a matrix show, up to signs, which |D b|_1 does not see: differences of
// order 1 to 3, or along edges; else any matrix.
std::shared_ptr<const AnalysisOperator> recognized_operator(const SparseMatrix& matrix);

}  // namespace alo
