#include "cel/lexer.h"

#include <fmt/format.h>

#include <array>

#include "cel/text.h"

namespace kueue::cel {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsOctal(char c) { return c >= '0' && c <= '7'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
int HexOf(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

class Lexer {
 public:
  Lexer(std::string_view text, Issue* issue) : text_(text), issue_(issue) {}

  std::vector<Token> Run() {
    while (true) {
      SkipBlanks();
      Token token;
      token.offset = static_cast<uint32_t>(at_);
      if (at_ == text_.size()) {
        tokens_.push_back(std::move(token));
        return std::move(tokens_);
      }
      if (!Next(&token)) return std::move(tokens_);
      token.text = text_.substr(token.offset, at_ - token.offset);
      if (token.kind == Token::Kind::kUint) token.text.remove_suffix(1);
      tokens_.push_back(std::move(token));
    }
  }

 private:
  char Look(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool Fail(size_t offset, std::string message) {
    issue_->offset = static_cast<uint32_t>(offset);
    issue_->message = std::move(message);
    return false;
  }

  void SkipBlanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
        ++at_;
      } else if (c == '/' && Look(1) == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  bool Next(Token* token) {
    const char c = Look(0);
    if (const size_t quote = StringStart(); quote != std::string_view::npos)
      return ReadString(token, quote);
    if (IsLetter(c)) return ReadWord(token);
    if (c == '`') return ReadQuoted(token);
    if (IsDigit(c) || (c == '.' && IsDigit(Look(1)))) return ReadNumber(token);
    static constexpr std::array<std::string_view, 24> kSymbols = {
        "==", "!=", "<=", ">=", "&&", "||", "[", "]", "{", "}", "(", ")",
        ".",  ",",  "-",  "!",  "?",  ":",  "+", "*", "/", "%", "<", ">"};
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(at_, symbol.size()) != symbol) continue;
      token->kind = Token::Kind::kSymbol;
      at_ += symbol.size();
      return true;
    }
    const size_t length = PointLength(text_, at_);
    return Fail(at_, fmt::format("Syntax error: token recognition error at: '{}'",
                                 text_.substr(at_, length)));
  }

  bool ReadWord(Token* token) {
    const size_t start = at_;
    while (IsLetter(Look(0)) || IsDigit(Look(0))) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    token->kind = word == "in" ? Token::Kind::kSymbol : Token::Kind::kIdentifier;
    return true;
  }

  bool ReadQuoted(Token* token) {
    const size_t start = at_++;
    while (IsLetter(Look(0)) || IsDigit(Look(0)) || std::string_view(".-/ ").find(Look(0)) <= 3)
      ++at_;
    if (Look(0) != '`' || at_ == start + 1)
      return Fail(start, "Syntax error: token recognition error at: '`'");
    token->kind = Token::Kind::kQuoted;
    token->value = text_.substr(start + 1, at_ - start - 1);
    ++at_;
    return true;
  }

  bool ReadNumber(Token* token) {
    token->kind = Token::Kind::kInt;
    if (Look(0) == '0' && Look(1) == 'x' && HexOf(Look(2)) >= 0) {
      at_ += 2;
      while (HexOf(Look(0)) >= 0) ++at_;
    } else {
      while (IsDigit(Look(0))) ++at_;
      if (Look(0) == '.' && IsDigit(Look(1))) {
        token->kind = Token::Kind::kFloat;
        ++at_;
        while (IsDigit(Look(0))) ++at_;
      }
      const bool sign = Look(1) == '+' || Look(1) == '-';
      if ((Look(0) == 'e' || Look(0) == 'E') && IsDigit(Look(sign ? 2 : 1))) {
        token->kind = Token::Kind::kFloat;
        at_ += sign ? 2 : 1;
        while (IsDigit(Look(0))) ++at_;
      }
    }
    if (token->kind == Token::Kind::kInt && (Look(0) == 'u' || Look(0) == 'U')) {
      token->kind = Token::Kind::kUint;
      ++at_;
    }
    return true;
  }

  // How many prefix letters stand before a quote here; npos when no string begins here.
  size_t StringStart() const {
    const auto is_quote = [&](size_t i) { return Look(i) == '"' || Look(i) == '\''; };
    const auto is_raw = [&](size_t i) { return Look(i) == 'r' || Look(i) == 'R'; };
    if (is_quote(0)) return 0;
    if (is_raw(0) && is_quote(1)) return 1;
    if (Look(0) != 'b' && Look(0) != 'B') return std::string_view::npos;
    if (is_quote(1)) return 1;
    return is_raw(1) && is_quote(2) ? 2 : std::string_view::npos;
  }

  bool ReadString(Token* token, size_t quote) {
    const size_t start = at_;
    const bool bytes = quote > 0 && (Look(0) == 'b' || Look(0) == 'B');
    const bool raw = quote > 0 && (Look(quote - 1) == 'r' || Look(quote - 1) == 'R');
    at_ += quote;
    const char mark = Look(0);
    const bool triple = Look(1) == mark && Look(2) == mark;
    at_ += triple ? 3 : 1;
    token->kind = bytes ? Token::Kind::kBytes : Token::Kind::kString;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == mark && (!triple || (Look(1) == mark && Look(2) == mark))) {
        at_ += triple ? 3 : 1;
        return true;
      }
      if (!triple && (c == '\n' || c == '\r')) break;
      if (c == '\\' && !raw) {
        if (!ReadEscape(start, bytes, &token->value)) return false;
      } else {
        token->value += c;
        ++at_;
      }
    }
    return Fail(start, fmt::format("Syntax error: token recognition error at: '{}'",
                                   text_.substr(start, std::min<size_t>(at_ - start, 60))));
  }

  bool BadEscape(size_t start) {
    return Fail(start, fmt::format("Syntax error: token recognition error at: '{}'",
                                   text_.substr(start, at_ + 2 - start)));
  }

  bool ReadEscape(size_t start, bool bytes, std::string* out) {
    static constexpr std::string_view kLetters = "abfnrtv\"'\\?`";
    static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\"'\\?`";
    const char c = Look(1);
    if (const size_t found = kLetters.find(c); c != '\0' && found != std::string_view::npos) {
      *out += kMeanings[found];
      at_ += 2;
      return true;
    }
    if (c >= '0' && c <= '3' && IsOctal(Look(2)) && IsOctal(Look(3))) {
      AppendCode(static_cast<uint32_t>((c - '0') * 64 + (Look(2) - '0') * 8 + Look(3) - '0'), bytes,
                 out);
      at_ += 4;
      return true;
    }
    const size_t digits = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0) return BadEscape(start);
    uint32_t code = 0;
    for (size_t i = 0; i < digits; ++i) {
      const int digit = HexOf(Look(2 + i));
      if (digit < 0) return BadEscape(start);
      code = code * 16 + static_cast<uint32_t>(digit);
    }
    if (bytes && digits > 2) return Fail(start, "unable to unescape string");
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
      return Fail(start, "invalid unicode code point");
    AppendCode(code, bytes, out);
    at_ += 2 + digits;
    return true;
  }

  // \xff is a code point in a string and a byte in bytes.
  static void AppendCode(uint32_t code, bool bytes, std::string* out) {
    if (bytes)
      *out += static_cast<char>(code);
    else
      AppendPoint(code, out);
  }

  std::string_view text_;
  Issue* issue_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> Tokenize(std::string_view text, Issue* issue) {
  return Lexer(text, issue).Run();
}

}  // namespace kueue::cel
