#include "base/base64.h"

#include <gtest/gtest.h>

namespace kueue::base {
namespace {

TEST(Base64Test, KnownTexts) {
  // The examples of RFC 4648.
  const std::pair<std::string, std::string> kTexts[] = {
      {"", ""},         {"f", "Zg=="},         {"fo", "Zm8="},        {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : kTexts) {
    EXPECT_EQ(EncodeBase64(plain), coded);
    EXPECT_EQ(DecodeBase64(coded).bytes, plain);
    EXPECT_FALSE(DecodeBase64(coded).illegal_at);
  }
}

TEST(Base64Test, AllBytesSurviveInEachForm) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (const Base64 form : {Base64::kPadded, Base64::kPaddedOrBare, Base64::kUrl}) {
    const DecodedBase64 decoded = DecodeBase64(EncodeBase64(bytes, form), form);
    EXPECT_EQ(decoded.bytes, bytes);
    EXPECT_FALSE(decoded.illegal_at);
  }
}

TEST(Base64Test, LineBreaksAreSkipped) {
  EXPECT_EQ(DecodeBase64("Zm9v\r\nYmE\n=\n").bytes, "fooba");
}

TEST(Base64Test, MalformedTextIsRefusedWithItsPlace) {
  const std::pair<const char*, size_t> kTexts[] = {{"Z", 0},    {"Zg=", 2},      {"Zg", 2},
                                                   {"Zm9v!", 4}, {"=Zg=", 0},     {"Zg==Zg==", 2},
                                                   {"Zm9v=", 4}, {"Zm9v Zm9v", 4}, {"Zg===", 2}};
  for (const auto& [text, at] : kTexts) {
    EXPECT_EQ(DecodeBase64(text).illegal_at, at) << text;
  }
}

TEST(Base64Test, PaddingMayBeLeftOffWhereTheFormSaysSo) {
  EXPECT_EQ(DecodeBase64("Zg", Base64::kPaddedOrBare).bytes, "f");
  EXPECT_FALSE(DecodeBase64("Zg", Base64::kPaddedOrBare).illegal_at);
  EXPECT_TRUE(DecodeBase64("Zg=", Base64::kPaddedOrBare).illegal_at);
  EXPECT_EQ(EncodeBase64("\xff\xfe", Base64::kUrl), "__4");
  EXPECT_TRUE(DecodeBase64("__4=", Base64::kUrl).illegal_at);
}

}  // namespace
}  // namespace kueue::base
