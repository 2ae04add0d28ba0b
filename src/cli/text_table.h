#pragma once

#include <string>
#include <vector>

namespace kueue::cli {

using TableRow = std::vector<std::string>;

// Rows one under the other, each behind `indent`; columns as wide as their widest cell, three
// blanks apart.
std::string TextTable(const std::vector<TableRow>& rows, const std::string& indent = "");

}  // namespace kueue::cli
