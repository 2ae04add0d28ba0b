#include "net/message_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <optional>
#include <utility>

#include "base/check.h"

namespace kueue::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using boost::system::error_code;

// The longest header of a response we read, in bytes.
constexpr uint32_t kMaxResponseHeader = 256u << 10;
// Bodies up to this size get their memory at once.
constexpr uint64_t kReserveAtOnce = 1u << 20;

std::string ToString(string_view text) { return std::string(text.data(), text.size()); }

// What Beast's parser calls while it reads a message of either direction.
template <bool is_request>
class Reader : public http::basic_parser<is_request> {
 protected:
  virtual void OnLength(uint64_t) {}
  virtual void OnBody(string_view data) = 0;

  Headers headers_;

 private:
  void on_request_impl(http::verb, string_view, string_view, int, error_code&) override {}
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_field_impl(http::field, string_view name, string_view value, error_code&) override {
    headers_.emplace_back(ToString(name), ToString(value));
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
    if (length) OnLength(*length);
  }
  std::size_t on_body_impl(string_view data, error_code&) override {
    OnBody(data);
    return data.size();
  }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view data, error_code&) override {
    OnBody(data);
    return data.size();
  }
  void on_finish_impl(error_code&) override {}
};

class RequestReader final : public Reader<true> {
 public:
  Request Take() {
    request_.headers = std::move(headers_);
    return std::move(request_);
  }
  bool expects_continue() const {
    return version_ >= 11 && boost::beast::iequals(expect_, "100-continue");
  }
  int version() const { return version_; }

 private:
  void on_header_impl(error_code&) override {
    expect_ = HeaderOf(headers_, "expect");
  }
  void on_request_impl(http::verb, string_view method, string_view target, int version,
                       error_code&) override {
    request_.method = ToString(method);
    request_.target = ToString(target);
    version_ = version;
  }
  void OnLength(uint64_t length) override {
    if (length <= kReserveAtOnce) request_.body.reserve(length);
  }
  void OnBody(string_view data) override { request_.body.append(data.data(), data.size()); }

  Request request_;
  std::string expect_;
  int version_ = 11;
};

class ResponseReader final : public Reader<false> {
 public:
  explicit ResponseReader(const ResponseParser::Callbacks& callbacks) : callbacks_(callbacks) {}
  bool interim() const { return status_ / 100 == 1 && status_ != 101; }

 private:
  void on_response_impl(int status, string_view, int, error_code&) override { status_ = status; }
  void on_header_impl(error_code&) override {
    if (!interim()) callbacks_.on_header(status_, std::move(headers_));
  }
  void OnBody(string_view data) override {
    callbacks_.on_body(std::string_view(data.data(), data.size()));
  }

  const ResponseParser::Callbacks& callbacks_;
  int status_ = 0;
};

// Gives `parser` the bytes of `buffer` from `used` on and moves `used` past what it took, until it
// wants more, is done or (with `until_header`) has the header.
template <class Parser>
error_code Put(Parser& parser, const std::string& buffer, size_t& used, bool until_header) {
  error_code error;
  while (!parser.is_done() && used < buffer.size()) {
    if (until_header && parser.is_header_done()) break;
    const size_t taken =
        parser.put(boost::asio::const_buffer(buffer.data() + used, buffer.size() - used), error);
    used += taken;
    if (error == http::error::need_more) return {};
    if (error) return error;
  }
  return error;
}

}  // namespace

class RequestParser::Impl {
 public:
  Impl(size_t max_header_bytes, size_t max_body_bytes)
      : max_header_bytes_(static_cast<uint32_t>(std::min<size_t>(max_header_bytes, UINT32_MAX))),
        max_body_bytes_(max_body_bytes) {
    Next();
  }

  void Next() {
    reader_.emplace();
    reader_->header_limit(max_header_bytes_);
    reader_->body_limit(static_cast<uint64_t>(max_body_bytes_));
    header_told_ = false;
  }

  Event Advance() {
    if (error_status_ != 0) return Event::kError;
    // Without eagerness the parser stops after the header, which is told before the body is read.
    reader_->eager(header_told_);
    const error_code error = Put(*reader_, buffer_, used_, !header_told_);
    Trim();
    if (error) return Fail(error);
    if (!header_told_ && reader_->is_header_done()) {
      header_told_ = true;
      return Event::kHeader;
    }
    return reader_->is_done() ? Event::kRequest : Event::kNeedMore;
  }

  Event Fail(const error_code& error) {
    error_status_ = error == http::error::header_limit ? 431
                    : error == http::error::body_limit ? 413
                                                       : 400;
    error_message_ = error_status_ == 431 ? "the request header is too large, the limit is " +
                                                std::to_string(max_header_bytes_) + " bytes"
                     : error_status_ == 413 ? "Request entity too large: limit is " +
                                                  std::to_string(max_body_bytes_)
                                            : "malformed HTTP request: " + error.message();
    return Event::kError;
  }

  // Moving the rest to the front only now and then keeps the cost linear.
  void Trim() {
    if (used_ == buffer_.size()) {
      buffer_.clear();
      used_ = 0;
    } else if (used_ > (64u << 10)) {
      buffer_.erase(0, used_);
      used_ = 0;
    }
  }

  const uint32_t max_header_bytes_;
  const size_t max_body_bytes_;
  std::string buffer_;
  size_t used_ = 0;
  std::optional<RequestReader> reader_;
  bool header_told_ = false;
  int error_status_ = 0;
  std::string error_message_;
};

RequestParser::RequestParser(size_t max_header_bytes, size_t max_body_bytes)
    : impl_(std::make_unique<Impl>(max_header_bytes, max_body_bytes)) {}
RequestParser::~RequestParser() = default;
void RequestParser::Append(std::string_view bytes) { impl_->buffer_.append(bytes); }
size_t RequestParser::buffered() const { return impl_->buffer_.size() - impl_->used_; }
RequestParser::Event RequestParser::Advance() { return impl_->Advance(); }
bool RequestParser::expects_continue() const { return impl_->reader_->expects_continue(); }
Request RequestParser::TakeRequest() { return impl_->reader_->Take(); }
bool RequestParser::keep_alive() const { return impl_->reader_->keep_alive(); }
bool RequestParser::understands_chunks() const { return impl_->reader_->version() >= 11; }
void RequestParser::Next() { impl_->Next(); }
int RequestParser::error_status() const { return impl_->error_status_; }
const std::string& RequestParser::error_message() const { return impl_->error_message_; }

class ResponseParser::Impl {
 public:
  explicit Impl(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}

  void Next(bool no_body) {
    no_body_ = no_body;
    started_ = false;
    buffer_.clear();
    used_ = 0;
    Renew();
  }

  void Renew() {
    reader_.emplace(callbacks_);
    reader_->header_limit(kMaxResponseHeader);
    reader_->body_limit(boost::none);
    reader_->eager(true);
    if (no_body_) reader_->skip(true);
  }

  State Feed(std::string_view bytes) {
    KUEUE_CHECK(reader_.has_value());
    started_ = started_ || !bytes.empty();
    buffer_.append(bytes);
    while (true) {
      const error_code error = Put(*reader_, buffer_, used_, false);
      if (error) return Fail(error.message());
      if (!reader_->is_done() || !reader_->interim()) break;
      Renew();
    }
    const size_t rest = buffer_.size() - used_;
    if (reader_->is_done()) return rest == 0 ? State::kDone : Fail("bytes after the response");
    buffer_.erase(0, used_);
    used_ = 0;
    return State::kNeedMore;
  }

  State FeedEnd() {
    error_code error;
    if (started_) reader_->put_eof(error);
    if (!started_ || error || !reader_->is_done()) return Fail("closed in mid-response");
    return State::kDone;
  }

  State Fail(std::string message) {
    error_message_ = std::move(message);
    return State::kError;
  }

  const Callbacks callbacks_;
  std::optional<ResponseReader> reader_;
  std::string buffer_;
  size_t used_ = 0;
  bool no_body_ = false;
  bool started_ = false;
  std::string error_message_;
};

ResponseParser::ResponseParser(Callbacks callbacks)
    : impl_(std::make_unique<Impl>(std::move(callbacks))) {}
ResponseParser::~ResponseParser() = default;
void ResponseParser::Next(bool no_body) { impl_->Next(no_body); }
ResponseParser::State ResponseParser::Feed(std::string_view bytes) { return impl_->Feed(bytes); }
ResponseParser::State ResponseParser::FeedEnd() { return impl_->FeedEnd(); }
bool ResponseParser::started() const { return impl_->started_; }
bool ResponseParser::keep_alive() const { return impl_->reader_->keep_alive(); }
const std::string& ResponseParser::error_message() const { return impl_->error_message_; }

}  // namespace kueue::net
