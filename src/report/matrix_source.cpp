// SPDX-License-Identifier: MIT
#include "report/matrix_source.hpp"

namespace alo::report {

Json matrix_object(const MatrixSource& source) {
  const bool is_entries = source.kind == MatrixRows::entries;
  Json object = {{"design", is_entries ? "triplets" : "rank-one"},
                 {"rows", source.row_names},
                 {"columns", source.column_names}};
  const bool is_named = is_entries && !source.row_field.empty();
  object["fields"] = is_named ? Json::array({source.row_field, source.column_field}) : Json::array();
  return object;
}

MatrixSource read_matrix_source(const ModelReader& reader) {
  const std::string design = reader.text_at("design");
  if (design != "triplets" && design != "rank-one") {
    reader.fail(fmt::format("{} is '{}', expected triplets or rank-one", reader.quoted("design"), design));
  }
  MatrixSource source;
  source.kind = design == "triplets" ? MatrixRows::entries : MatrixRows::rank_one;
  source.row_names = reader.texts_at("rows");
  source.column_names = reader.texts_at("columns");
  if (source.row_names.empty() || source.column_names.empty()) reader.fail("the matrix has no entries");
  const std::vector<std::string> fields = reader.texts_at("fields");
  if (!fields.empty() && fields.size() != 2) reader.fail("'matrix.fields' are not two");
  if (!fields.empty()) {
    source.row_field = fields[0];
    source.column_field = fields[1];
  }
  return source;
}

}  // namespace alo::report
