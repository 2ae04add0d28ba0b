#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Which form of an answer the client accepts, and which form a body has.
namespace kueue::apiserver {

enum class Shape {
  kObject,   // the object or list itself
  kTable,    // rows and columns, as kubectl prints them
  kPartial,  // metadata only
  kPartialList,
};

struct Representation {
  Shape shape = Shape::kObject;
  std::string meta_version = "v1";  // of meta.k8s.io, for the shapes other than kObject
  bool yaml = false;
};

// What kind of answer a request will get, so that only fitting shapes are agreed on.
enum class AnswerKind { kSingle, kList, kPlain };  // kPlain: discovery, reviews; kObject only

// The first acceptable form in the order of preference; nothing: 406. An empty header accepts all.
std::optional<Representation> Negotiate(std::string_view accept, AnswerKind answer);

// A type that a client accepts, without its parameters.
struct AcceptedType {
  std::string type;
};
// The types of an Accept header, best first; equal ones in the order written.
std::vector<AcceptedType> ParseAccept(std::string_view accept);

// Aggregated discovery is asked for by a form of its own.
bool AcceptsAggregatedDiscovery(std::string_view accept);
// Anything that `Negotiate` would take, as a plain object.
bool AcceptsPlain(std::string_view accept);

// Whether some clause of an Accept header is of a type that is served at all, in whatever shape.
bool NamesKnownType(std::string_view accept);

enum class BodyFormat { kJson, kYaml, kProtobuf, kUnsupported };
// Of a Content-Type header; an empty one is JSON.
BodyFormat BodyFormatOf(std::string_view content_type);
// "application/merge-patch+json; charset=utf-8" -> "application/merge-patch+json", lower case.
std::string BareMediaType(std::string_view content_type);

}  // namespace kueue::apiserver
