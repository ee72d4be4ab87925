// SPDX-License-Identifier: MIT
// Arrays of Python as designs and vectors, and the other way.
#include <fmt/format.h>

#include "alo/error.hpp"
#include "bind.hpp"

namespace alo::python {

namespace {

using IntArray = nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Keeps arrays alive until the library lets go of them, in whatever thread that is.
template <class Arrays>
std::shared_ptr<const void> keep(Arrays arrays) {
  return {new Arrays(std::move(arrays)), [](const Arrays* kept) {
            if (!Py_IsInitialized()) return;  // the interpreter is gone, and the memory goes with the process
            const nb::gil_scoped_acquire lock;
            delete kept;
          }};
}

Index extent(std::size_t value) {
  return static_cast<Index>(value);
}

Design dense_design(TableArray values) {
  const Index rows = extent(values.shape(0));
  const Index columns = extent(values.shape(1));
  if (rows > 1 && values.stride(0) != 1) {
    throw InvalidArgument(
        "the columns of a dense design must be contiguous; numpy.asfortranarray makes them so");
  }
  const Index stride = columns > 1 ? values.stride(1) : rows;
  const DenseMap map(values.data(), rows, columns, Eigen::OuterStride<>(stride));
  return Design(map, keep(std::move(values)));
}

struct SparseArrays {
  NumberArray values;
  IntArray rows;
  IntArray starts;
};

// Refuses indices that would be read outside of the arrays: a sparse matrix of Python is not checked when it
// is made by hand.
void check_sparse(const SparseArrays& arrays, Index rows, Index columns) {
  const Index count = extent(arrays.values.shape(0));
  bool good = extent(arrays.rows.shape(0)) == count && extent(arrays.starts.shape(0)) == columns + 1;
  good = good && arrays.starts(0) == 0 && arrays.starts(static_cast<std::size_t>(columns)) == count;
  for (Index j = 0; good && j < columns; ++j) {
    const int begin = arrays.starts.data()[j];
    const int end = arrays.starts.data()[j + 1];
    good = begin <= end && end <= count;
    for (int k = begin; good && k < end; ++k) {
      const int row = arrays.rows.data()[k];
      good = row < rows && row > (k == begin ? -1 : arrays.rows.data()[k - 1]);
    }
  }
  if (!good)
    throw InvalidArgument("the sparse matrix is damaged: its indices do not ascend within its shape");
}

Design sparse_design(NumberArray values, IntArray indices, IntArray starts, Index rows, Index columns) {
  SparseArrays arrays{std::move(values), std::move(indices), std::move(starts)};
  check_sparse(arrays, rows, columns);
  const SparseMap map(rows, columns, extent(arrays.values.shape(0)), arrays.starts.data(), arrays.rows.data(),
                      arrays.values.data());
  return Design(map, keep(std::move(arrays)));
}

Design identity_design(Index rows) {
  SparseMatrix identity(rows, rows);
  identity.setIdentity();
  return Design(std::move(identity));
}

}  // namespace

Vector to_vector(const NumberArray& values) {
  return Eigen::Map<const Vector>(values.data(), extent(values.shape(0)));
}

nb::object view_of(const Vector& values, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const double, nb::ndim<1>>(
      values.data(), {static_cast<std::size_t>(values.size())}, owner));
}

nb::object view_of(const Vector& values, Index outputs, nb::handle owner) {
  if (outputs == 1) return view_of(values, owner);
  const Index rows = values.size() / outputs;
  return nb::cast(nb::ndarray<nb::numpy, const double, nb::ndim<2>>(
      values.data(), {static_cast<std::size_t>(rows), static_cast<std::size_t>(outputs)}, owner, {1, rows}));
}

nb::object copy_of(Matrix values) {
  auto* kept = new Matrix(std::move(values));
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<Matrix*>(pointer); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(
      kept->data(), {static_cast<std::size_t>(kept->rows()), static_cast<std::size_t>(kept->cols())}, owner,
      {1, kept->rows()}));
}

nb::object copy_of(const Vector& values) {
  auto* kept = new Vector(values);
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<Vector*>(pointer); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(
      kept->data(), {static_cast<std::size_t>(kept->size())}, owner));
}

void bind_design(nb::module_& module) {
  nb::class_<Design>(module, "Design", "The matrix of predictors, seen where it is in memory.")
      .def_static("dense", &dense_design, nb::arg("values").noconvert(),
                  "Views an array whose columns are contiguous.")
      .def_static("sparse", &sparse_design, nb::arg("data").noconvert(), nb::arg("indices").noconvert(),
                  nb::arg("indptr").noconvert(), nb::arg("rows"), nb::arg("columns"),
                  "Views compressed columns with 32-bit indices that ascend.")
      .def_static("identity", &identity_design, nb::arg("rows"), "A coefficient for every row: a signal.")
      .def_prop_ro("shape",
                   [](const Design& design) { return nb::make_tuple(design.rows(), design.columns()); });
}

}  // namespace alo::python
