// SPDX-License-Identifier: MIT
#include "completion/entry_products.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"

namespace alo {

namespace {

// 32,768 numbers are 256 KB, half of a usual second-level cache. Only the speed depends on it.
constexpr Index cached_numbers = 1 << 15;

// Each pass is a template on the number of factors, so that inner loops have a fixed length; 0 stands for a
// number known only at run time. run() chooses the instance, and the run_ functions below are compiled for
// several instruction sets.
struct Places {
  Index rows;
  const Index* first;
  const int* column;
};

template <int Width>
[[gnu::always_inline]] inline double dot(int width, const double* x, const double* y) {
  const int size = Width > 0 ? Width : width;
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (int k = 0; k < size; ++k) sum += x[k] * y[k];
  return sum;
}

template <int Width>
[[gnu::always_inline]] inline void add(int width, double* y, double alpha, const double* x) {
  const int size = Width > 0 ? Width : width;
#pragma omp simd
  for (int k = 0; k < size; ++k) y[k] += alpha * x[k];
}

struct ValuePass {
  Places places;
  const double* left;
  const double* right;
  double* result;
  template <int Width>
  [[gnu::always_inline]] inline void run(int dynamic_width) const {
    const int width = Width > 0 ? Width : dynamic_width;
    for (Index a = 0; a < places.rows; ++a) {
      const double* row = left + a * width;
      for (Index j = places.first[a]; j < places.first[a + 1]; ++j) {
        result[j] += dot<Width>(width, row, right + static_cast<Index>(places.column[j]) * width);
      }
    }
  }
};

struct SumPass {
  Places places;
  const double* numbers;
  const double* left;
  const double* right;
  double* left_sum;
  double* right_sum;
  template <int Width>
  [[gnu::always_inline]] inline void run(int dynamic_width) const {
    const int width = Width > 0 ? Width : dynamic_width;
    for (Index a = 0; a < places.rows; ++a) {
      for (Index j = places.first[a]; j < places.first[a + 1]; ++j) {
        const Index b = static_cast<Index>(places.column[j]) * width;
        add<Width>(width, left_sum + a * width, numbers[j], right + b);
        add<Width>(width, right_sum + b, numbers[j], left + a * width);
      }
    }
  }
};

// The pass goes by blocks of columns: what belongs to a block stays in the cache while all rows pass.
struct CurvaturePass {
  Places places;
  const double* slope;
  const double* curvature;
  const double* left;
  const double* right;
  const double* left_move;
  const double* right_move;
  double* left_result;
  double* right_result;
  Index columns;
  Index block;
  Index* next;  // of each row, the first entry that was not reached yet
  template <int Width>
  [[gnu::always_inline]] inline void run(int dynamic_width) const {
    const int width = Width > 0 ? Width : dynamic_width;
    for (Index end = block; end < columns + block; end += block) {
      for (Index a = 0; a < places.rows; ++a) {
        const double* row = left + a * width;
        const double* move = left_move + a * width;
        double* at_row = left_result + a * width;
        Index j = next[a];
        for (; j < places.first[a + 1] && places.column[j] < end; ++j) {
          const Index b = static_cast<Index>(places.column[j]) * width;
          const double pull =
              curvature[j] * (dot<Width>(width, row, right_move + b) + dot<Width>(width, move, right + b));
          double* at_column = right_result + b;
          const double bend = slope[j];
#pragma omp simd
          for (int k = 0; k < width; ++k) at_row[k] += pull * right[b + k] + bend * right_move[b + k];
#pragma omp simd
          for (int k = 0; k < width; ++k) at_column[k] += pull * row[k] + bend * move[k];
        }
        next[a] = j;
      }
    }
  }
};

struct ProductPass {
  Index count;
  const double* blocks;
  const double* vectors;
  double* result;
  template <int Width>
  [[gnu::always_inline]] inline void run(int dynamic_width) const {
    const int width = Width > 0 ? Width : dynamic_width;
    const Index square = static_cast<Index>(width) * width;
    for (Index i = 0; i < count; ++i) {
      for (int k = 0; k < width; ++k) {
        add<Width>(width, result + i * width, vectors[i * width + k], blocks + i * square + k * width);
      }
    }
  }
};

template <class Pass>
[[gnu::always_inline]] inline void run(const Pass& pass, Index rank) {
  const int width = static_cast<int>(rank);
  switch (width) {
    case 4:
      return pass.template run<4>(width);
    case 8:
      return pass.template run<8>(width);
    case 12:
      return pass.template run<12>(width);
    case 16:
      return pass.template run<16>(width);
    case 20:
      return pass.template run<20>(width);
    case 24:
      return pass.template run<24>(width);
    case 32:
      return pass.template run<32>(width);
    default:
      return pass.template run<0>(width);
  }
}

ALO_MULTIVERSION void run_values(const ValuePass& pass, Index rank) {
  run(pass, rank);
}
ALO_MULTIVERSION void run_sums(const SumPass& pass, Index rank) {
  run(pass, rank);
}
ALO_MULTIVERSION void run_curvature(const CurvaturePass& pass, Index rank) {
  run(pass, rank);
}
ALO_MULTIVERSION void run_products(const ProductPass& pass, Index rank) {
  run(pass, rank);
}

Places places_of(const EntryList& entries) {
  return {entries.rows(), entries.first_data(), entries.column_data()};
}

// The entries by columns.
struct ColumnOrder {
  explicit ColumnOrder(const EntryList& entries)
      : first(static_cast<std::size_t>(entries.columns()) + 1, 0),
        member(static_cast<std::size_t>(entries.size())) {
    for (Index j = 0; j < entries.size(); ++j) ++first[static_cast<std::size_t>(entries.column(j)) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Index> next(first.begin(), first.end() - 1);
    for (Index a = 0; a < entries.rows(); ++a) {
      for (Index j = entries.first(a); j < entries.first(a + 1); ++j) {
        member[static_cast<std::size_t>(next[static_cast<std::size_t>(entries.column(j))]++)] = {j, a};
      }
    }
  }
  struct Member {
    Index entry;
    Index row;
  };
  std::vector<Index> first;
  std::vector<Member> member;
};

// The position of the first number of R.
Index right_start(const EntryList& entries, const Matrix& factors) {
  return entries.rows() * factors.rows();
}

}  // namespace

Vector entry_values(const EntryList& entries, const Matrix& factors) {
  Vector result = Vector::Zero(entries.size());
  const Index right = right_start(entries, factors);
  run_values({places_of(entries), factors.data(), factors.data() + right, result.data()}, factors.rows());
  return result;
}

Vector entry_derivatives(const EntryList& entries, const Matrix& factors, const Matrix& direction) {
  Vector result = Vector::Zero(entries.size());
  const Index right = right_start(entries, factors);
  run_values({places_of(entries), factors.data(), direction.data() + right, result.data()}, factors.rows());
  run_values({places_of(entries), direction.data(), factors.data() + right, result.data()}, factors.rows());
  return result;
}

Matrix entry_sums(const EntryList& entries, const Vector& numbers, const Matrix& factors) {
  Matrix result = Matrix::Zero(factors.rows(), factors.cols());
  const Index right = right_start(entries, factors);
  run_sums({places_of(entries), numbers.data(), factors.data(), factors.data() + right, result.data(),
            result.data() + right},
           factors.rows());
  return result;
}

Matrix entry_curvature(const EntryList& entries, const Vector& slope, const Vector& curvature,
                       const Matrix& factors, const Matrix& direction) {
  Matrix result = Matrix::Zero(factors.rows(), factors.cols());
  const Index right = right_start(entries, factors);
  std::vector<Index> next(entries.first_data(), entries.first_data() + entries.rows());
  const Index block = std::max<Index>(1, cached_numbers / (3 * std::max<Index>(1, factors.rows())));
  run_curvature({places_of(entries), slope.data(), curvature.data(), factors.data(), factors.data() + right,
                 direction.data(), direction.data() + right, result.data(), result.data() + right,
                 entries.columns(), block, next.data()},
                factors.rows());
  return result;
}

Matrix entry_blocks(const EntryList& entries, const Vector& curvature, const Matrix& factors) {
  const Index rank = factors.rows();
  const Index rows = entries.rows();
  Matrix result(rank, rank * factors.cols());
  const Vector root = curvature.cwiseSqrt();
  for (Index a = 0; a < rows; ++a) {
    const Index first = entries.first(a);
    Matrix members(entries.first(a + 1) - first, rank);
    for (Index k = 0; k < members.rows(); ++k) {
      members.row(k) = root[first + k] * factors.col(rows + entries.column(first + k)).transpose();
    }
    result.middleCols(a * rank, rank) = blas::gram(members);
  }
  const ColumnOrder order(entries);
  for (Index b = 0; b < entries.columns(); ++b) {
    const Index first = order.first[static_cast<std::size_t>(b)];
    Matrix members(order.first[static_cast<std::size_t>(b) + 1] - first, rank);
    for (Index k = 0; k < members.rows(); ++k) {
      const auto& [entry, row] = order.member[static_cast<std::size_t>(first + k)];
      members.row(k) = root[entry] * factors.col(row).transpose();
    }
    result.middleCols((rows + b) * rank, rank) = blas::gram(members);
  }
  return result;
}

Matrix multiply_blocks(const Matrix& blocks, const Matrix& vectors) {
  Matrix result = Matrix::Zero(vectors.rows(), vectors.cols());
  run_products({vectors.cols(), blocks.data(), vectors.data(), result.data()}, vectors.rows());
  return result;
}

Vector multiply_entries(const EntryList& entries, const Vector& numbers, const VectorView& x) {
  Vector result(entries.rows());
  for (Index a = 0; a < entries.rows(); ++a) {
    double sum = 0.0;
    for (Index j = entries.first(a); j < entries.first(a + 1); ++j) sum += numbers[j] * x[entries.column(j)];
    result[a] = sum;
  }
  return result;
}

Vector transpose_multiply_entries(const EntryList& entries, const Vector& numbers, const VectorView& x) {
  Vector result = Vector::Zero(entries.columns());
  for (Index a = 0; a < entries.rows(); ++a) {
    for (Index j = entries.first(a); j < entries.first(a + 1); ++j) {
      result[entries.column(j)] += numbers[j] * x[a];
    }
  }
  return result;
}

}  // namespace alo
