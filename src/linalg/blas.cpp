// SPDX-License-Identifier: MIT
#include "linalg/blas.hpp"
#include "linalg/narrow.hpp"

#include <cblas-openblas.h>
#include <lapacke.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace alo::blas {

namespace {

// Fewer right sides than this are multiplied (or solved for) one by one: dgemm and dtrsm first copy the
// matrix into packed blocks, which costs more than it saves. Only the speed depends on it.
constexpr Index few = 4;
// OpenBLAS multiplies without packing where a product has at most a million multiplications. A product with a
// right factor of at most `thin` entries is therefore made from blocks of rows with at most `most_unpacked`
// multiplications each, because packing takes longer than the little work on each row. Only the speed depends
// on these.
constexpr Index thin = 1000;
constexpr Index most_unpacked = 900'000;
// Widths of the diagonal blocks whose inverses are multiplied with (solve_right_transposed_in_place):
// inverting a block costs its width cubed, and wider blocks make larger products. Factors with fewer columns
// than many_columns take narrow blocks. Only the speed depends on these; errors grow with the condition
// number of a block, which is no larger than that of the factor.
constexpr Index narrow_panel = 48;
constexpr Index panel = 128;
constexpr Index many_columns = 500;

// LAPACK wants a positive leading dimension even for empty matrices.
int stride(const MatrixView& a) {
  return std::max(1, narrow(a.outerStride()));
}

void check(lapack_int info, const char* routine) {
  if (info != 0) throw std::runtime_error(std::string("LAPACK routine failed: ") + routine);
}

Vector vector_product(CBLAS_TRANSPOSE transpose, const MatrixView& a, const VectorView& x) {
  Vector y = Vector::Zero(transpose == CblasNoTrans ? a.rows() : a.cols());
  if (a.size() == 0) return y;
  cblas_dgemv(CblasColMajor, transpose, narrow(a.rows()), narrow(a.cols()), 1.0, a.data(), stride(a),
              x.data(), 1, 0.0, y.data(), 1);
  return y;
}

void accumulate(CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, Index inner, Eigen::Ref<Matrix> c,
                double alpha, const MatrixView& a, const MatrixView& b, double beta = 1.0) {
  if (c.size() == 0 || inner == 0) return;
  if (c.cols() < few && transpose_b == CblasNoTrans) {  // copying A into blocks would cost more than it saves
    for (Index k = 0; k < c.cols(); ++k) {
      cblas_dgemv(CblasColMajor, transpose_a, narrow(a.rows()), narrow(a.cols()), alpha, a.data(), stride(a),
                  b.data() + k * b.outerStride(), 1, beta, c.data() + k * c.outerStride(), 1);
    }
    return;
  }
  cblas_dgemm(CblasColMajor, transpose_a, transpose_b, narrow(c.rows()), narrow(c.cols()), narrow(inner),
              alpha, a.data(), stride(a), b.data(), stride(b), beta, c.data(), stride(c));
}

Matrix product(CBLAS_TRANSPOSE transpose, const MatrixView& a, const MatrixView& b) {
  Matrix c = Matrix::Zero(transpose == CblasNoTrans ? a.rows() : a.cols(), b.cols());
  accumulate(transpose, CblasNoTrans, b.rows(), c, 1.0, a, b);
  return c;
}

void triangular_solve(CBLAS_TRANSPOSE transpose, const MatrixView& l, Eigen::Ref<Matrix> b) {
  if (b.size() == 0) return;
  if (b.cols() < few) {  // dtrsm would copy the whole factor
    for (Index k = 0; k < b.cols(); ++k) {
      cblas_dtrsv(CblasColMajor, CblasLower, transpose, CblasNonUnit, narrow(b.rows()), l.data(), stride(l),
                  b.col(k).data(), 1);
    }
    return;
  }
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transpose, CblasNonUnit, narrow(b.rows()),
              narrow(b.cols()), 1.0, l.data(), stride(l), b.data(), stride(b));
}

}  // namespace

double dot(const VectorView& x, const VectorView& y) {
  return cblas_ddot(narrow(x.size()), x.data(), 1, y.data(), 1);
}
void add_multiple(Eigen::Ref<Vector> y, double alpha, const VectorView& x) {
  cblas_daxpy(narrow(x.size()), alpha, x.data(), 1, y.data(), 1);
}
Vector multiply_vector(const MatrixView& a, const VectorView& x) {
  return vector_product(CblasNoTrans, a, x);
}
Vector transpose_multiply_vector(const MatrixView& a, const VectorView& x) {
  return vector_product(CblasTrans, a, x);
}
Vector multiply_symmetric(const MatrixView& a, const VectorView& x) {
  Vector y = Vector::Zero(a.rows());
  if (a.size() == 0) return y;
  cblas_dsymv(CblasColMajor, CblasLower, narrow(a.rows()), 1.0, a.data(), stride(a), x.data(), 1, 0.0,
              y.data(), 1);
  return y;
}
Matrix multiply(const MatrixView& a, const MatrixView& b) {
  return product(CblasNoTrans, a, b);
}
Matrix transpose_multiply(const MatrixView& a, const MatrixView& b) {
  return product(CblasTrans, a, b);
}

Matrix gram(const MatrixView& a) {
  Matrix c = Matrix::Zero(a.cols(), a.cols());
  if (a.size() == 0) return c;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, narrow(a.cols()), narrow(a.rows()), 1.0, a.data(),
              stride(a), 0.0, c.data(), narrow(a.cols()));
  c.triangularView<Eigen::StrictlyUpper>() = c.transpose();
  return c;
}

Matrix row_gram(const MatrixView& a) {
  Matrix c = Matrix::Zero(a.rows(), a.rows());
  if (a.size() == 0) return c;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, narrow(a.rows()), narrow(a.cols()), 1.0, a.data(),
              stride(a), 0.0, c.data(), narrow(a.rows()));
  c.triangularView<Eigen::StrictlyUpper>() = c.transpose();
  return c;
}

void add_gram(Eigen::Ref<Matrix> c, const MatrixView& a) {
  if (a.size() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, narrow(a.cols()), narrow(a.rows()), 1.0, a.data(),
              stride(a), 1.0, c.data(), stride(c));
}

void add_row_gram(Eigen::Ref<Matrix> c, const MatrixView& a) {
  if (a.size() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, narrow(a.rows()), narrow(a.cols()), 1.0, a.data(),
              stride(a), 1.0, c.data(), stride(c));
}

Matrix transposed(const Matrix& a) {
  constexpr Index side = 16;  // 16 x 16 numbers are 2 KB, so both blocks stay in the first cache
  Matrix result(a.cols(), a.rows());
  for (Index j = 0; j < a.cols(); j += side) {
    for (Index i = 0; i < a.rows(); i += side) {
      const Index rows = std::min(side, a.rows() - i);
      const Index columns = std::min(side, a.cols() - j);
      result.block(j, i, columns, rows) = a.block(i, j, rows, columns).transpose();
    }
  }
  return result;
}

void set_product(Eigen::Ref<Matrix> c, const MatrixView& a, const MatrixView& b) {
  if (a.cols() == 0 || c.cols() < few) c.setZero();  // dgemv may multiply what is there by zero
  const Index rows = b.size() > thin ? c.rows() : most_unpacked / std::max<Index>(1, b.size());
  for (Index first = 0; first < c.rows(); first += rows) {
    const Index count = std::min(rows, c.rows() - first);
    accumulate(CblasNoTrans, CblasNoTrans, a.cols(), c.middleRows(first, count), 1.0,
               a.middleRows(first, count), b, 0.0);
  }
}
void add_product(Eigen::Ref<Matrix> c, double alpha, const MatrixView& a, const MatrixView& b) {
  accumulate(CblasNoTrans, CblasNoTrans, a.cols(), c, alpha, a, b);
}
void add_transposed_product(Eigen::Ref<Matrix> c, double alpha, const MatrixView& a, const MatrixView& b) {
  accumulate(CblasTrans, CblasNoTrans, a.rows(), c, alpha, a, b);
}
void add_product_transposed(Eigen::Ref<Matrix> c, double alpha, const MatrixView& a, const MatrixView& b) {
  accumulate(CblasNoTrans, CblasTrans, a.cols(), c, alpha, a, b);
}

void subtract_gram(Eigen::Ref<Matrix> c, const MatrixView& a) {
  if (c.size() == 0 || a.rows() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, narrow(a.cols()), narrow(a.rows()), -1.0, a.data(),
              stride(a), 1.0, c.data(), stride(c));
  c.triangularView<Eigen::StrictlyUpper>() = c.transpose();
}

std::optional<Matrix> cholesky(Matrix a) {
  if (a.size() == 0) return a;
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', narrow(a.rows()), a.data(), narrow(a.rows())) != 0) {
    return std::nullopt;
  }
  a.triangularView<Eigen::StrictlyUpper>().setZero();
  return a;
}

bool cholesky_in_place(Eigen::Ref<Matrix> a) {
  if (a.size() == 0) return true;
  return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', narrow(a.rows()), a.data(), stride(a)) == 0;
}

Matrix semidefinite_factor(Matrix a) {
  const Index n = a.rows();
  if (n == 0) return a;
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  lapack_int rank = 0;
  // A negative tolerance is n epsilon max_i A_ii; a rank below n is no failure here.
  const lapack_int info =
      LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', narrow(n), a.data(), narrow(n), pivots.data(), &rank, -1.0);
  check(std::min(info, 0), "dpstrf");
  Matrix factor = Matrix::Zero(n, rank);
  for (Index i = 0; i < n; ++i) {
    const Index stored = std::min<Index>(i + 1, rank);
    factor.row(pivots[static_cast<std::size_t>(i)] - 1).head(stored) = a.row(i).head(stored);
  }
  return factor;
}

Matrix solve_lower(const MatrixView& l, Matrix b) {
  triangular_solve(CblasNoTrans, l, b);
  return b;
}
Matrix solve_lower_transposed(const MatrixView& l, Matrix b) {
  triangular_solve(CblasTrans, l, b);
  return b;
}
void solve_lower_in_place(const MatrixView& l, Eigen::Ref<Matrix> b) {
  triangular_solve(CblasNoTrans, l, b);
}
void solve_lower_transposed_in_place(const MatrixView& l, Eigen::Ref<Matrix> b) {
  triangular_solve(CblasTrans, l, b);
}

void solve_right_transposed_in_place(const MatrixView& l, Eigen::Ref<Matrix> b) {
  if (b.size() == 0) return;
  const Index most = l.cols() < many_columns ? narrow_panel : panel;
  for (Index begin = 0; begin < l.cols(); begin += most) {
    const Index width = std::min(most, l.cols() - begin);
    auto own = b.middleCols(begin, width);
    add_product_transposed(own, -1.0, b.leftCols(begin), l.block(begin, 0, width, begin));
    // A product with the inverse takes half as long as a solve with as many rows.
    Matrix inverse = l.block(begin, begin, width, width);
    check(LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'L', 'N', narrow(width), inverse.data(), narrow(width)), "dtrtri");
    cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, narrow(b.rows()),
                narrow(width), 1.0, inverse.data(), narrow(width), own.data(), stride(own));
  }
}

Matrix inverse_from_cholesky(Matrix l) {
  if (l.size() == 0) return l;
  check(LAPACKE_dpotri(LAPACK_COL_MAJOR, 'L', narrow(l.rows()), l.data(), narrow(l.rows())), "dpotri");
  l.triangularView<Eigen::StrictlyUpper>() = l.transpose();
  return l;
}

namespace {

// The factorisation A P = Q R as LAPACK leaves it in the matrix, up to the numerical rank.
struct PivotedFactor {
  std::vector<lapack_int> pivots;  // from 1
  Vector reflectors;
  int rank = 0;
};

PivotedFactor pivoted_factor(Matrix& a, double tolerance) {
  const int m = narrow(a.rows());
  const int n = narrow(a.cols());
  const int steps = std::min(m, n);
  PivotedFactor factor{std::vector<lapack_int>(static_cast<std::size_t>(n), 0), Vector(steps)};
  if (steps == 0) return factor;
  check(LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, n, a.data(), m, factor.pivots.data(), factor.reflectors.data()),
        "dgeqp3");
  const double largest = std::abs(a(0, 0));
  while (factor.rank < steps && std::abs(a(factor.rank, factor.rank)) > tolerance * largest) ++factor.rank;
  return factor;
}

}  // namespace

Matrix orthonormal_basis(Matrix a, double tolerance) {
  const int m = narrow(a.rows());
  const PivotedFactor factor = pivoted_factor(a, tolerance);
  const int rank = factor.rank;
  if (rank == 0) return Matrix(a.rows(), 0);
  check(LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, rank, rank, a.data(), m, factor.reflectors.data()), "dorgqr");
  return a.leftCols(rank);
}

PivotedTriangle pivoted_triangle(Matrix a, double tolerance) {
  const PivotedFactor factor = pivoted_factor(a, tolerance);
  PivotedTriangle result;
  for (int k = 0; k < factor.rank; ++k) {
    result.columns.push_back(factor.pivots[static_cast<std::size_t>(k)] - 1);
  }
  result.upper = a.topLeftCorner(factor.rank, factor.rank).triangularView<Eigen::Upper>();
  return result;
}

SingularValues singular_values(Matrix a) {
  const int m = narrow(a.rows());
  const int n = narrow(a.cols());
  const int k = std::min(m, n);
  SingularValues result{Matrix(m, k), Vector(k), Matrix(n, k)};
  if (k == 0) return result;
  Matrix v_transposed(k, n);
  check(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', m, n, a.data(), m, result.s.data(), result.u.data(), m,
                       v_transposed.data(), k),
        "dgesdd");
  result.v = v_transposed.transpose();
  return result;
}

Vector singular_values_only(Matrix a) {
  const int m = narrow(a.rows());
  const int n = narrow(a.cols());
  Vector values(std::min(m, n));
  if (values.size() == 0) return values;
  check(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, a.data(), m, values.data(), nullptr, m, nullptr, n),
        "dgesdd");
  return values;
}

SymmetricEigen symmetric_eigen(Matrix a) {
  const int n = narrow(a.rows());
  Vector values(n);
  if (n == 0) return {std::move(a), std::move(values)};
  check(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, a.data(), n, values.data()), "dsyevd");
  a.rowwise().reverseInPlace();
  values.reverseInPlace();
  return {std::move(a), std::move(values)};
}

namespace {

// The scopes that are open, of all threads.
class OpenScopes {
 public:
  void add(int wanted) {
    const std::scoped_lock lock(mutex_);
    if (wanted_.empty()) before_ = openblas_get_num_threads();
    wanted_.insert(wanted);
    callers_ += own_scopes()++ == 0 ? 1 : 0;
    agree();
  }
  void remove(int wanted) {
    const std::scoped_lock lock(mutex_);
    wanted_.erase(wanted_.find(wanted));
    callers_ -= --own_scopes() == 0 ? 1 : 0;
    agree();
  }

 private:
  // How many of them the calling thread has.
  static int& own_scopes() {
    thread_local int count = 0;
    return count;
  }
  void agree() const {
    openblas_set_num_threads(wanted_.empty() ? before_ : callers_ > 1 ? 1 : *wanted_.begin());
  }

  std::mutex mutex_;
  std::multiset<int> wanted_;
  int callers_ = 0;
  int before_ = 1;
};

OpenScopes& open_scopes() {
  static OpenScopes scopes;
  return scopes;
}

}  // namespace

int threads() {
  return openblas_get_num_threads();
}

ThreadScope::ThreadScope(int threads) : wanted_(std::max(1, threads)) {
  open_scopes().add(wanted_);
}
ThreadScope::~ThreadScope() {
  open_scopes().remove(wanted_);
}

}  // namespace alo::blas
