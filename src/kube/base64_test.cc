#include "kube/base64.h"

#include <gtest/gtest.h>

namespace kueue::kube {
namespace {

TEST(Base64Test, KnownTexts) {
  // The examples of RFC 4648.
  const std::pair<std::string, std::string> kTexts[] = {
      {"", ""},         {"f", "Zg=="},         {"fo", "Zm8="},        {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : kTexts) {
    EXPECT_EQ(Base64Encode(plain), coded);
    EXPECT_EQ(Base64Decode(coded).value(), plain);
  }
}

TEST(Base64Test, AllBytesSurvive) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(Base64Decode(Base64Encode(bytes)).value(), bytes);
}

TEST(Base64Test, LineBreaksAreSkipped) {
  EXPECT_EQ(Base64Decode("Zm9v\nYmFy\n").value(), "foobar");
}

TEST(Base64Test, MalformedTextIsRefused) {
  for (const char* text : {"Z", "Zg=", "Zg", "Zm9v!", "=Zg=", "Zg==Zg==", "Zm9v="}) {
    EXPECT_FALSE(Base64Decode(text).ok()) << text;
  }
}

}  // namespace
}  // namespace kueue::kube
