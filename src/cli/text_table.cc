#include "cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace kueue::cli {

std::string TextTable(const std::vector<TableRow>& rows, const std::string& indent) {
  std::vector<size_t> widths;
  for (const TableRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const TableRow& row : rows) {
    std::string line = indent;
    for (size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}   ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace kueue::cli
