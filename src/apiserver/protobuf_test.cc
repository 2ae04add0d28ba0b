#include "apiserver/protobuf.h"

#include <gtest/gtest.h>

#include <string>

#include "api/codec/json_text.h"

namespace kueue::apiserver {
namespace {

std::string Chunk(int number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) +
         std::string(1, static_cast<char>(bytes.size())) + bytes;
}

std::string Body(const std::string& kind, const std::string& message) {
  return std::string("k8s\0", 4) + Chunk(1, Chunk(1, "v1") + Chunk(2, kind)) + Chunk(2, message);
}

std::string Decoded(const std::string& bytes) {
  const auto json = DecodeProtobuf(bytes);
  return json.ok() ? api::WriteJson(*json) : std::to_string(json.error().code);
}

TEST(Protobuf, ANamespaceAsKubectlSendsIt) {
  // Empty texts and empty messages are on the wire too; they mean nothing.
  const std::string metadata =
      Chunk(1, "n") + Chunk(2, "") + Chunk(8, "") + Chunk(11, Chunk(1, "k") + Chunk(2, "v"));
  EXPECT_EQ(Decoded(Body("Namespace", Chunk(1, metadata) + Chunk(2, "") + Chunk(3, Chunk(1, "")))),
            R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n","labels":{"k":"v"}}})");
}

TEST(Protobuf, BytesBecomeBase64) {
  const std::string entry = Chunk(1, "k") + Chunk(2, "hi");
  EXPECT_EQ(Decoded(Body("Secret", Chunk(2, entry))),
            R"({"apiVersion":"v1","kind":"Secret","data":{"k":"aGk="}})");
}

TEST(Protobuf, ALeaseWithItsTimes) {
  const auto time = [](const std::string& seconds, const std::string& nanoseconds) {
    return "\x08" + seconds + "\x10" + nanoseconds;
  };
  const std::string spec =
      Chunk(1, "me") + "\x10\x0f" + Chunk(3, time("\x80\xa3\x05", std::string("\xc0\x84\x3d", 3)));
  const std::string metadata = Chunk(1, "l") + Chunk(8, "\x08\x01");
  EXPECT_EQ(Decoded(Body("Lease", Chunk(1, metadata) + Chunk(2, spec))),
            R"({"apiVersion":"v1","kind":"Lease","metadata":{"name":"l",)"
            R"("creationTimestamp":"1970-01-01T00:00:01Z"},"spec":{"holderIdentity":"me",)"
            R"("leaseDurationSeconds":15,"acquireTime":"1970-01-02T00:00:00.001000Z"}})");
}

TEST(Protobuf, ATimeThatCannotBeWrittenIsRefused) {
  const std::string year = "\x08" + std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  EXPECT_EQ(Decoded(Body("Lease", Chunk(2, Chunk(4, year)))), "400");
}

TEST(Protobuf, AFieldThatIsNotKnownIsNotDropped) {
  EXPECT_EQ(Decoded(Body("ConfigMap", Chunk(9, "x"))), "415");
}

TEST(Protobuf, OtherKindsAndGarbageAreRefused) {
  EXPECT_EQ(Decoded(Body("Node", "")), "415");
  EXPECT_EQ(Decoded("x"), "400");
  EXPECT_EQ(Decoded(Body("ConfigMap", "\xff")), "400");
}

}  // namespace
}  // namespace kueue::apiserver
