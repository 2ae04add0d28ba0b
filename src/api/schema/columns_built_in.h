#pragma once

#include <vector>

#include "api/schema/kind.h"

// Columns and rows of the built-in kinds, as the Kubernetes API server answers them to kubectl.
namespace kueue::api {

std::vector<PrinterColumn> ConfigMapColumns();
std::vector<PrinterColumn> EventColumns();
std::vector<PrinterColumn> JobColumns();
std::vector<PrinterColumn> LeaseColumns();
std::vector<PrinterColumn> NamespaceColumns();
std::vector<PrinterColumn> NodeColumns();
std::vector<PrinterColumn> PodColumns();
std::vector<PrinterColumn> SecretColumns();

std::vector<Json> ConfigMapRow(const Json& object, Time now);
std::vector<Json> EventRow(const Json& object, Time now);
std::vector<Json> JobRow(const Json& object, Time now);
std::vector<Json> LeaseRow(const Json& object, Time now);
std::vector<Json> NamespaceRow(const Json& object, Time now);
std::vector<Json> NodeRow(const Json& object, Time now);
std::vector<Json> PodRow(const Json& object, Time now);
std::vector<Json> SecretRow(const Json& object, Time now);

// The age of the time at `path`: "5m"; `otherwise` if there is none.
std::string AgeAt(const Json& object, std::initializer_list<std::string_view> path, Time now,
                  std::string_view otherwise = "<unknown>");

}  // namespace kueue::api
