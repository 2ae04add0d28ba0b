#pragma once

// Patterns of names (spec/api.md §2.1), for RE2. They are part of the wire contract.
namespace kueue::api::patterns {

inline constexpr char kDnsSubdomain[] =
    R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)";
inline constexpr char kDnsLabel[] = R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?$)";
inline constexpr char kLabelKey[] =
    R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)"
    R"((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)";
inline constexpr char kQuantity[] =
    R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+)))"
    R"((([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)";
inline constexpr char kConditionReason[] = R"(^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$)";
inline constexpr char kKind[] = R"(^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$)";

}  // namespace kueue::api::patterns
