// SPDX-License-Identifier: MIT
// A design seen through a centre and a scale, dense or sparse, against the matrix written out.
#include "alo/design.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/dataset.hpp"
#include "alo/error.hpp"
#include "seed.hpp"

namespace alo {
namespace {

using testing_support::varied;

Matrix sparse_looking_matrix() {
  std::mt19937 generator(varied(2));
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(9, 5, [&] { return generator() % 3 == 0 ? normal(generator) : 0.0; });
}

class DesignViews : public testing::TestWithParam<bool> {
 protected:
  DesignViews() {
    const Design stored = GetParam() ? Design(SparseMatrix(raw.sparseView())) : Design(raw);
    view = stored.with_view(center, scale);
    written_out = (raw.rowwise() - center.transpose()).array().rowwise() / scale.transpose().array();
  }
  const Matrix raw = sparse_looking_matrix();
  const Vector center = Vector::LinSpaced(5, -1.0, 2.0);
  const Vector scale = Vector::LinSpaced(5, 0.5, 3.0);
  const Vector weights = Vector::LinSpaced(9, 0.0, 2.0);
  Design view;
  Matrix written_out;
};

TEST_P(DesignViews, ValuesOfTheOtherKindAreRefused) {
  if (GetParam()) {
    EXPECT_THROW(view.dense_values(), InvalidArgument);
    EXPECT_EQ(view.sparse_values().cols(), 5);
  } else {
    EXPECT_THROW(view.sparse_values(), InvalidArgument);
    EXPECT_EQ(view.dense_values().cols(), 5);
  }
}

TEST_P(DesignViews, ProductsAndCopies) {
  const Vector b = Vector::LinSpaced(5, 1.0, -2.0);
  const Vector v = Vector::LinSpaced(9, -1.0, 1.5);
  const std::vector<Index> chosen = {3, 0};
  const auto near = [](const Matrix& a, const Matrix& c) { return (a - c).cwiseAbs().maxCoeff() < 1e-13; };
  EXPECT_TRUE(near(view.multiply(b), written_out * b));
  EXPECT_TRUE(near(view.transpose_multiply(v), written_out.transpose() * v));
  EXPECT_TRUE(near(view.transpose_multiply_columns(written_out), written_out.transpose() * written_out));
  EXPECT_TRUE(near(view.multiply(chosen, b.head(2)), written_out(Eigen::all, chosen) * b.head(2)));
  const std::vector<Index> run = {1, 2, 3, 4, 0};
  for (const Index count : {1, 5, 40}) {  // one by one, the other columns too, copies side by side
    const Matrix values = Matrix::Random(9, count);
    EXPECT_TRUE(near(view.transpose_multiply_columns(chosen, values),
                     written_out(Eigen::all, chosen).transpose() * values));
    EXPECT_TRUE(near(view.transpose_multiply_columns(run, values),
                     written_out(Eigen::all, run).transpose() * values));
    const Matrix coefficients = Matrix::Random(5, count);
    EXPECT_TRUE(near(view.multiply_columns(chosen, coefficients.topRows(2)),
                     written_out(Eigen::all, chosen) * coefficients.topRows(2)));
    EXPECT_TRUE(near(view.multiply_columns(run, coefficients), written_out(Eigen::all, run) * coefficients));
  }
  EXPECT_TRUE(near(view.gather(chosen), written_out(Eigen::all, chosen)));
  EXPECT_TRUE(near(view.row(4), written_out.row(4).transpose()));
  EXPECT_TRUE(near(view.weighted_square_norms(weights), written_out.cwiseAbs2().transpose() * weights));
  EXPECT_EQ(view.is_sparse(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Storage, DesignViews, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "sparse" : "dense"; });

TEST(Design, ConstantColumnsLookAtRowsThatCount) {
  Matrix x(4, 4);
  x << 1, 0, 5, 0,  //
      1, 0, 6, 2,   //
      1, 0, 6, 2,   //
      1, 0, 6, 2;
  const Vector weights{{0.0, 1.0, 1.0, 2.0}};
  const std::vector<Index> expected = {0, 1, 2, 3};
  EXPECT_EQ(Design(x).constant_columns(weights), expected);
  EXPECT_EQ(Design(SparseMatrix(x.sparseView())).constant_columns(weights), expected);
  EXPECT_EQ(Design(x).constant_columns(Vector::Ones(4)), (std::vector<Index>{0, 1}));
  EXPECT_EQ(Design(SparseMatrix(x.sparseView())).constant_columns(Vector::Ones(4)),
            (std::vector<Index>{0, 1}));
}

// Some rows of a larger matrix, and compressed columns, seen where they are and kept by their owner.
TEST(ForeignValues, AreSeenWithoutACopyAndKeptByTheirOwner) {
  auto large = std::make_shared<Matrix>(sparse_looking_matrix());
  auto sparse = std::make_shared<SparseMatrix>(large->sparseView());
  sparse->makeCompressed();
  const std::weak_ptr<Matrix> alive = large;
  Design rows(DenseMap(large->data() + 2, 4, 5, Eigen::OuterStride<>(large->outerStride())), large);
  const Design columns(SparseMap(sparse->rows(), sparse->cols(), sparse->nonZeros(), sparse->outerIndexPtr(),
                                 sparse->innerIndexPtr(), sparse->valuePtr()),
                       sparse);
  const Matrix expected = large->middleRows(2, 4);
  EXPECT_EQ(rows.dense_values().data(), large->data() + 2);
  EXPECT_EQ(columns.sparse_values().valuePtr(), sparse->valuePtr());
  large.reset();
  const Design view = rows.with_view(Vector::Ones(5), Vector::Constant(5, 2.0));
  rows = Design();
  ASSERT_FALSE(alive.expired());  // the view keeps what it sees
  const Vector b = Vector::LinSpaced(5, 1.0, -2.0);
  EXPECT_LT((view.multiply(b) - (expected.array() - 1.0).matrix() * b / 2.0).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((columns.multiply(b) - *sparse * b).cwiseAbs().maxCoeff(), 1e-13);
  std::vector<Index> all = {0, 1, 2, 3, 4};
  EXPECT_EQ(view.gather(all), ((expected.array() - 1.0) / 2.0).matrix());
}

TEST(Validate, NamesTheOffendingPlace) {
  Matrix x = Matrix::Ones(3, 2);
  x(1, 1) = std::nan("");
  const auto refusal = [](Dataset data) {
    try {
      validate(data);
    } catch (const InvalidData& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal(make_dataset(Design(x), Vector::Zero(3))), testing::HasSubstr("'x2' is nan in row 2"));
  EXPECT_THAT(refusal(make_dataset(Design(Matrix::Ones(3, 2)), Vector::Zero(2))),
              testing::HasSubstr("2 responses for 3 rows"));
  Dataset negative = make_dataset(Design(Matrix::Ones(3, 2)), Vector::Zero(3));
  negative.weights[2] = -1.0;
  EXPECT_THAT(refusal(negative), testing::HasSubstr("row 3"));
  Dataset fractional = make_dataset(Design(Matrix::Ones(3, 2)), Vector::Zero(3));
  fractional.weights[1] = 1.5;
  fractional.weight_kind = WeightKind::frequency;
  EXPECT_THAT(refusal(fractional), testing::HasSubstr("whole numbers"));
  Dataset weightless = make_dataset(Design(Matrix::Ones(3, 2)), Vector::Zero(3));
  weightless.weights.setZero();
  EXPECT_THAT(refusal(weightless), testing::HasSubstr("all weights are zero"));
}

}  // namespace
}  // namespace alo
