// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

struct RandomTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};

// Words with everything that quoting is for; the prefix keeps them from being numbers.
rc::Gen<std::string> random_name() {
  const auto letters = rc::gen::elementOf(std::string("ab,;\"\n\t |'\r"));
  return rc::gen::map(rc::gen::container<std::string>(letters),
                      [](const std::string& tail) { return "c" + tail + "e"; });
}

rc::Gen<double> random_number() {
  return rc::gen::oneOf(
      rc::gen::suchThat(rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                                     [](std::uint64_t bits) { return std::bit_cast<double>(bits); }),
                        [](double value) { return std::isfinite(value); }),
      rc::gen::map(rc::gen::arbitrary<int>(), [](int value) { return static_cast<double>(value); }),
      rc::gen::element(0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1, 1.0 / 3.0));
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string number_field(double value) {
  const std::string text = fmt::format("{:.17g}", value);
  const int style = *rc::gen::inRange(0, 4);
  return style == 0 ? quoted(text) : style == 1 ? " " + text + "  " : text;
}

std::string write_table(const RandomTable& table, char delimiter, const std::string& line_end) {
  std::string text;
  for (std::size_t j = 0; j < table.names.size(); ++j) {
    text += (j > 0 ? std::string(1, delimiter) : "") + quoted(table.names[j]);
  }
  text += line_end;
  for (const auto& row : table.rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      text += (j > 0 ? std::string(1, delimiter) : "") + number_field(row[j]);
    }
    text += line_end;
  }
  return text;
}

TEST(RoundTrip, RandomTablesComeBackBitForBit) {
  const bool held = rc::check("numbers and names survive writing and reading", [] {
    RandomTable table;
    const int columns = *rc::gen::inRange(1, 8);
    table.names =
        *rc::gen::unique<std::vector<std::string>>(static_cast<std::size_t>(columns), random_name());
    table.rows = *rc::gen::container<std::vector<std::vector<double>>>(
        static_cast<std::size_t>(*rc::gen::inRange(1, 40)),
        rc::gen::container<std::vector<double>>(static_cast<std::size_t>(columns), random_number()));
    const bool tabs = *rc::gen::arbitrary<bool>();
    const std::string text =
        write_table(table, tabs ? '\t' : ',', *rc::gen::element(std::string("\n"), std::string("\r\n")));
    ReadOptions options;
    options.format = tabs ? FileFormat::tsv : FileFormat::csv;
    const Dataset data = read_text(text, options, "table");
    RC_ASSERT(data.rows() == static_cast<Index>(table.rows.size()));
    RC_ASSERT(data.columns() == columns - 1);
    RC_ASSERT(data.response_name == table.names.back());
    for (Index i = 0; i < data.rows(); ++i) {
      const auto& row = table.rows[static_cast<std::size_t>(i)];
      for (Index j = 0; j < columns; ++j) {
        const double read = j + 1 < columns ? data.design.dense_values()(i, j) : data.response[i];
        RC_ASSERT(std::bit_cast<std::uint64_t>(read) ==
                  std::bit_cast<std::uint64_t>(row[static_cast<std::size_t>(j)]));
      }
    }
  });
  EXPECT_TRUE(held);
}

TEST(RoundTrip, RandomSparseRowsComeBackBitForBit) {
  const bool held = rc::check("index:value rows survive writing and reading", [] {
    const Index rows = *rc::gen::inRange<Index>(1, 20);
    const Index columns = *rc::gen::inRange<Index>(1, 12);
    Matrix values = Matrix::Zero(rows, columns);
    std::string text;
    for (Index i = 0; i < rows; ++i) {
      text += fmt::format("{}", i);
      for (Index j = 0; j < columns; ++j) {
        if (*rc::gen::inRange(0, 3) != 0) continue;
        values(i, j) = *random_number();
        text += fmt::format(" {}:{:.17g}", j + 1, values(i, j));
      }
      text += "\n";
    }
    const Dataset data = read_text(text, {}, "table.svm");
    RC_ASSERT(data.rows() == rows);
    RC_ASSERT(data.columns() <= columns);
    RC_ASSERT(Matrix(data.design.sparse_values()) == Matrix(values.leftCols(data.columns())));
    RC_ASSERT((values.rightCols(columns - data.columns()).array() == 0.0).all());
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace alo::testing
