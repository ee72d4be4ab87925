// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/types.hpp"

// The only place that calls BLAS and LAPACK. Everything of cubic cost, and every product with the whole
// design, goes through here, because OpenBLAS chooses the processor's kernels at run time.
namespace alo::blas {

// y = A x and y = A' x.
Vector multiply_vector(const MatrixView& a, const VectorView& x);
Vector transpose_multiply_vector(const MatrixView& a, const VectorView& x);

// A x for a symmetric A.
Vector multiply_symmetric(const MatrixView& a, const VectorView& x);

// x'y, and y += alpha x.
double dot(const VectorView& x, const VectorView& y);
void add_multiple(Eigen::Ref<Vector> y, double alpha, const VectorView& x);

// A B, A' B and A' A (both triangles).
Matrix multiply(const MatrixView& a, const MatrixView& b);
Matrix transpose_multiply(const MatrixView& a, const MatrixView& b);
Matrix gram(const MatrixView& a);
// A A' (both triangles).
Matrix row_gram(const MatrixView& a);

// C += A'A and C += A A', the lower triangle alone, in place.
void add_gram(Eigen::Ref<Matrix> c, const MatrixView& a);
void add_row_gram(Eigen::Ref<Matrix> c, const MatrixView& a);

// The transpose, by blocks that stay in the cache.
Matrix transposed(const Matrix& a);

// C = A B in place.
void set_product(Eigen::Ref<Matrix> c, const MatrixView& a, const MatrixView& b);

// C += alpha A B, C += alpha A' B and C += alpha A B', in place.
void add_product(Eigen::Ref<Matrix> c, double alpha, const MatrixView& a, const MatrixView& b);
void add_transposed_product(Eigen::Ref<Matrix> c, double alpha, const MatrixView& a, const MatrixView& b);
void add_product_transposed(Eigen::Ref<Matrix> c, double alpha, const MatrixView& a, const MatrixView& b);

// C -= A' A (both triangles), in place.
void subtract_gram(Eigen::Ref<Matrix> c, const MatrixView& a);

// Lower Cholesky factor (upper triangle zero); none when a is not numerically positive definite.
std::optional<Matrix> cholesky(Matrix a);
// The same in place, the upper triangle left as it was; false when a is not numerically positive definite.
bool cholesky_in_place(Eigen::Ref<Matrix> a);
// F with F F' = A for a positive semidefinite A, by Cholesky factorisation with complete pivoting (dpstrf). F
// has as many columns as A has numerical rank: the factorisation ends where the largest pivot left is below
// n epsilon times the largest diagonal entry of A.
Matrix semidefinite_factor(Matrix a);
// L^-1 B and L^-T B for lower triangular L.
Matrix solve_lower(const MatrixView& l, Matrix b);
Matrix solve_lower_transposed(const MatrixView& l, Matrix b);

// The same in place.
void solve_lower_in_place(const MatrixView& l, Eigen::Ref<Matrix> b);
void solve_lower_transposed_in_place(const MatrixView& l, Eigen::Ref<Matrix> b);
// B <- B L^-T.
void solve_right_transposed_in_place(const MatrixView& l, Eigen::Ref<Matrix> b);
// (L L')^-1, both triangles.
Matrix inverse_from_cholesky(Matrix l);

// An orthonormal basis Q of the numerical range of A, by QR with column pivoting, A P = Q R with falling
// |R_kk|. Columns with |R_kk| <= tolerance |R_00| are left out.
Matrix orthonormal_basis(Matrix a, double tolerance);
// The same factorisation without Q: the columns that P brings to the front, and their R.
struct PivotedTriangle {
  std::vector<Index> columns;
  Matrix upper;
};
PivotedTriangle pivoted_triangle(Matrix a, double tolerance);

// The thin singular value decomposition A = U diag(s) V', s falling.
struct SingularValues {
  Matrix u;
  Vector s;
  Matrix v;
};
SingularValues singular_values(Matrix a);
// The singular values alone, in a third of the time.
Vector singular_values_only(Matrix a);

// The eigenvalues, falling, and eigenvectors of a symmetric A, of which the lower triangle is read.
struct SymmetricEigen {
  Matrix vectors;
  Vector values;
};
SymmetricEigen symmetric_eigen(Matrix a);

// Asks for a number of BLAS threads for its lifetime: one inside parallel regions. Made and ended on one
// thread.
//
// OpenBLAS has one such number for the whole process, so the scopes of all threads agree on it: the least
// that any of them asks for, and one where several threads have scopes, since each of them keeps a core busy.
// When the last scope ends, the number is again what it was before the first. Another thread's scope may
// thus change how a BLAS operation is divided, and with it the last digits of its sums, but nothing else.
class ThreadScope {
 public:
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int wanted_;
};

// The threads that BLAS may use now.
int threads();

}  // namespace alo::blas
