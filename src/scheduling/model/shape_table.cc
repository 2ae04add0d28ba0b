#include "scheduling/model/shape_table.h"

namespace kueue::scheduling {

Shape::~Shape() {
  if (row_ == nullptr || --row_->uses > 0) return;
  // By iterator: the key lives in the entry that goes.
  auto& rows = row_->table->rows_;
  rows.erase(rows.find(*row_->encoding));
}

Shape ShapeTable::Intern(std::string encoding) {
  const auto [entry, added] = rows_.try_emplace(std::move(encoding));
  if (added) {
    entry->second.table = this;
    entry->second.encoding = &entry->first;
  }
  return Shape(&entry->second);
}

}  // namespace kueue::scheduling
