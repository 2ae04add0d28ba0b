#pragma once

#include <string>
#include <string_view>
#include <vector>

// How names, label keys and label values may look (spec/api.md §2.1). Each *Problems function
// returns one sentence per broken rule, as many as Kubernetes answers causes for; empty: good.
namespace kueue::api {

// 1-63 of a-z, 0-9 and '-', alphanumeric at both ends.
std::vector<std::string> DnsLabelProblems(std::string_view text);
// 1-253, DNS labels (of any length) joined by dots.
std::vector<std::string> DnsSubdomainProblems(std::string_view text);
// [dns-subdomain/]name: 1-63 of letters, digits, '-', '_', '.', alphanumeric at both ends. Label
// and annotation keys, resource names, taint keys.
std::vector<std::string> QualifiedNameProblems(std::string_view text);
// Empty, or 1-63 in the alphabet of a qualified name's last part.
std::vector<std::string> LabelValueProblems(std::string_view text);

bool IsDnsLabel(std::string_view text);
bool IsDnsSubdomain(std::string_view text);
bool IsQualifiedName(std::string_view text);
bool IsLabelValue(std::string_view text);
// The schema's QUANTITY pattern; wider than what Quantity::Parse accepts (fractional exponents).
bool IsQuantityText(std::string_view text);

}  // namespace kueue::api
