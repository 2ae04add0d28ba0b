#include "net/connection.h"

#include <charconv>
#include <utility>

#include "base/log.h"

namespace kueue::net {
namespace {

constexpr base::Duration kHandshakeTime = base::seconds(10);
// How long, and for how many bytes, a refused client may go on sending what nobody reads: closing
// at once would reset the connection and often take the answer with it.
constexpr base::Duration kLingerTime = base::seconds(2);
constexpr size_t kLingerBytes = 64u << 20;
// Requests sent ahead are read up to this size; further ones wait in the socket.
constexpr size_t kReadAhead = 64u << 10;
// Pieces smaller than this are copied together, to make fewer and larger writes.
constexpr size_t kGather = 16u << 10;

// Word for word what Go's server says, which clients look for.
constexpr std::string_view kNotHttps =
    "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

bool HasBody(int status) { return status / 100 != 1 && status != 204 && status != 304; }

// The Content-Length among `headers`; false if there is none or it is not a number.
bool FindLength(const Headers& headers, size_t& length) {
  const std::string_view text = HeaderOf(headers, "content-length");
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

bool AsksToClose(const Headers& headers) {
  const std::string_view value = HeaderOf(headers, "connection");
  return value == "close" || value == "Close";
}

}  // namespace

Connection::Connection(std::shared_ptr<EventLoop> loop, std::shared_ptr<Stream> stream,
                       const ServerOptions& options, Handler& handler,
                       std::shared_ptr<std::atomic<size_t>> total, std::function<void()> exceeded,
                       std::function<void()> gone)
    : loop_(std::move(loop)), stream_(std::move(stream)), options_(options), handler_(handler),
      total_(std::move(total)), exceeded_(std::move(exceeded)), gone_(std::move(gone)),
      linger_(*loop_),
      parser_(options.max_header_bytes, options.max_body_bytes) {}

void Connection::Start() {
  stream_->Handshake([self = shared_from_this()](base::Status status) {
    if (self->state_ != State::kHandshake) return;
    if (!status && self->stream_->SpokePlainly()) {
      self->stream_->AnswerPlainly(std::string(kNotHttps), [self] { self->Close(); });
      return;
    }
    if (!status) {
      base::LogDebug("net", self->stream_->DescribePeer().address +
                                ": no TLS connection: " + status.error().message);
      return self->Close();
    }
    self->peer_ = self->stream_->DescribePeer();
    self->state_ = State::kRequest;
    self->waited_ = base::Duration(0);
    if (self->close_after_) return self->Close();
    self->Read();
  });
}

void Connection::Tick(base::Duration interval) {
  // While a handler takes its time, the client is not to blame.
  if (state_ == State::kAnswer && !writing_) return;
  waited_ += interval;
  const base::Duration limit = state_ == State::kHandshake
                                   ? std::min(kHandshakeTime, options_.idle_timeout)
                                   : options_.idle_timeout;
  if (waited_ >= limit) Close();
}

void Connection::Drain() {
  close_after_ = true;
  if (state_ == State::kHandshake || state_ == State::kRequest) Close();
}

void Connection::Close() {
  if (std::exchange(state_, State::kClosed) == State::kClosed) return;
  linger_.Cancel();
  if (answer_) std::exchange(answer_, nullptr)->Close();
  stream_->Close();
  std::exchange(gone_, nullptr)();
}

// ---- requests

// Always keeps one read going, also while an answer is written: that is how a client that went away
// is noticed.
void Connection::Read() {
  if (reading_ || state_ == State::kClosed) return;
  if (state_ == State::kAnswer && parser_.buffered() >= kReadAhead) return;
  reading_ = true;
  stream_->Read(read_buffer_.data(), read_buffer_.size(),
                [self = shared_from_this()](size_t bytes, base::Status status) {
                  self->reading_ = false;
                  self->OnRead(bytes, status);
                });
}

void Connection::OnRead(size_t bytes, const base::Status& status) {
  if (state_ == State::kClosed) return;
  if (!status || bytes == 0) return Close();
  if (state_ == State::kRefused || state_ == State::kFinishing) {
    dropped_bytes_ += bytes;
    if (dropped_bytes_ > kLingerBytes) return Close();
    return Read();
  }
  // Within a header nothing counts as progress: it has to be complete in time.
  if (body_coming_) waited_ = base::Duration(0);
  parser_.Append(std::string_view(read_buffer_.data(), bytes));
  if (state_ == State::kRequest) Advance();
  Read();
}

void Connection::Advance() {
  while (state_ == State::kRequest) {
    switch (parser_.Advance()) {
      case RequestParser::Event::kNeedMore:
        return;
      case RequestParser::Event::kHeader:
        body_coming_ = true;
        if (parser_.expects_continue() && parser_.buffered() == 0) {
          Enqueue("HTTP/1.1 100 Continue\r\n\r\n");
          WriteNext();
        }
        break;
      case RequestParser::Event::kRequest:
        HandleRequest();
        return;
      case RequestParser::Event::kError:
        Refuse(parser_.error_status(), parser_.error_message());
        return;
    }
  }
}

void Connection::HandleRequest() {
  state_ = State::kAnswer;
  body_coming_ = false;
  waited_ = base::Duration(0);
  Request request = parser_.TakeRequest();
  request.peer = peer_;
  close_after_ = close_after_ || !parser_.keep_alive();
  head_request_ = request.method == "HEAD";
  chunks_understood_ = parser_.understands_chunks();
  body_ = Body();
  answer_ = std::make_shared<Answer>(
      loop_, options_.max_backlog_bytes, total_, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->Flush();
      });
  handler_.Handle(std::move(request), Answer::MakeResponder(answer_));
}

void Connection::Refuse(int status, const std::string& message) {
  state_ = State::kRefused;
  const std::string body = StatusBody(status, message);
  Enqueue(FormatResponseHead(status, {{"Content-Type", "application/json"}}, Framing::kLength,
                             body.size(), true));
  Enqueue(body);
  linger_.Set(kLingerTime, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Close();
  });
  WriteNext();
}

// ---- answers

size_t Connection::OpenBacklog() const {
  return answer_ && !body_.ended ? answer_->backlog() : 0;
}

void Connection::Flush() {
  if (state_ != State::kAnswer) return;
  if (total_->load(std::memory_order_relaxed) > options_.max_total_backlog_bytes) {
    const auto self = shared_from_this();
    exceeded_();
    if (state_ != State::kAnswer) return;
  }
  Answer::Parts parts = answer_->Take();
  // An answer that has ended grows no more, however late its reader is.
  if (parts.overrun && !parts.end) {
    base::LogWarn("net", peer_.address + " does not read its answer fast enough: closed");
    return Close();
  }
  if (parts.abandoned && !parts.start && !body_.started) {
    std::exchange(answer_, nullptr)->Close();
    return Refuse(500, "the request was given up without an answer");
  }
  if (parts.abandoned) return Close();
  if (parts.start) WriteHead(parts);
  WriteChunks(std::move(parts.chunks));
  if (state_ == State::kClosed) return;
  if (parts.end) WriteEnd();
  if (state_ == State::kClosed) return;
  WriteNext();
}

void Connection::WriteHead(const Answer::Parts& parts) {
  body_.started = true;
  body_.wanted = !head_request_ && HasBody(parts.status);
  close_after_ = close_after_ || AsksToClose(parts.headers);
  size_t length = 0;
  for (const std::string& chunk : parts.chunks) length += chunk.size();
  if (!HasBody(parts.status)) {
    body_.framing = Framing::kAsGiven;
  } else if (parts.end) {
    // All of it is here. An answer to HEAD may tell a length without writing the bytes.
    const bool told = head_request_ && FindLength(parts.headers, body_.expected);
    body_.framing = told ? Framing::kAsGiven : Framing::kLength;
    if (!told) body_.expected = length;
  } else if (FindLength(parts.headers, body_.expected)) {
    body_.framing = Framing::kAsGiven;
  } else {
    body_.framing = chunks_understood_ ? Framing::kChunked : Framing::kClose;
    close_after_ = close_after_ || !chunks_understood_;
  }
  Enqueue(FormatResponseHead(parts.status, parts.headers, body_.framing, body_.expected,
                             close_after_));
}

void Connection::WriteChunks(std::vector<std::string> chunks) {
  for (std::string& chunk : chunks) {
    if (!body_.wanted) {
      answer_->Taken(chunk.size());
      continue;
    }
    body_.written += chunk.size();
    const bool counted = body_.framing == Framing::kLength || body_.framing == Framing::kAsGiven;
    if (counted && body_.written > body_.expected) {
      base::LogError("net", "an answer is longer than its Content-Length: connection closed");
      return Close();
    }
    out_body_bytes_ += chunk.size();
    if (body_.framing == Framing::kChunked) {
      Enqueue(ChunkHead(chunk.size()));
      Enqueue(std::move(chunk));
      Enqueue(std::string(kChunkTail));
    } else {
      Enqueue(std::move(chunk));
    }
  }
}

void Connection::WriteEnd() {
  body_.ended = true;
  if (!body_.wanted) return;
  if (body_.framing == Framing::kChunked) Enqueue(std::string(kLastChunk));
  const bool counted = body_.framing == Framing::kLength || body_.framing == Framing::kAsGiven;
  if (counted && body_.written < body_.expected) {
    base::LogError("net", "an answer is shorter than its Content-Length: connection closed");
    Close();
  }
}

void Connection::Enqueue(std::string bytes) {
  if (!out_.empty() && out_.back().size() + bytes.size() <= kGather) {
    out_.back() += bytes;
  } else {
    out_.push_back(std::move(bytes));
  }
}

void Connection::WriteNext() {
  if (writing_ || state_ == State::kClosed) return;
  if (out_.empty()) {
    if (state_ == State::kAnswer && body_.ended) FinishAnswer();
    return;
  }
  writing_ = true;
  waited_ = base::Duration(0);
  const size_t body_bytes = std::exchange(out_body_bytes_, 0);
  stream_->Write(std::exchange(out_, {}),
                 [self = shared_from_this(), body_bytes](base::Status status) {
                   self->writing_ = false;
                   if (self->state_ == State::kClosed) return;
                   if (!status) return self->Close();
                   self->OnWritten(body_bytes);
                 });
}

void Connection::OnWritten(size_t body_bytes) {
  waited_ = base::Duration(0);
  if (answer_) answer_->Taken(body_bytes);
  WriteNext();
}

void Connection::FinishAnswer() {
  std::exchange(answer_, nullptr)->Close();
  if (close_after_) return FinishConnection();
  state_ = State::kRequest;
  parser_.Next();
  Advance();
  Read();
}

void Connection::FinishConnection() {
  state_ = State::kFinishing;
  Read();
  stream_->Finish([self = shared_from_this()] { self->Close(); });
}

}  // namespace kueue::net
