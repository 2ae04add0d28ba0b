#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/answer.h"
#include "net/message_parser.h"
#include "net/message_writer.h"
#include "net/server.h"
#include "net/sockets.h"

namespace kueue::net {

// The server's end of one connection: reads a request, has it handled, writes the answer, and so
// on. Requests sent ahead wait. Private to net; everything on the loop's thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // `options` and `handler` must outlive it. `gone` is called once, when it has closed. `total`
  // counts what waits in the answers of all connections; `exceeded` is called when that is more
  // than options allow, and may close this connection.
  Connection(std::shared_ptr<EventLoop> loop, std::shared_ptr<Stream> stream,
             const ServerOptions& options, Handler& handler,
             std::shared_ptr<std::atomic<size_t>> total, std::function<void()> exceeded,
             std::function<void()> gone);

  void Start();
  // To be called every `interval`: closes if the client has kept us waiting too long.
  void Tick(base::Duration interval);
  // No further requests: closes when the answer under way has ended, or now.
  void Drain();
  // Bytes of an answer that goes on which the client has not taken; 0 otherwise.
  size_t OpenBacklog() const;
  // Idempotent.
  void Close();

 private:
  // What the header of the answer under way promised about its body.
  struct Body {
    bool started = false;
    bool wanted = true;        // not after HEAD, 204, 304
    bool ended = false;
    Framing framing = Framing::kAsGiven;
    size_t expected = 0;       // with kLength and kAsGiven
    size_t written = 0;
  };

  void Read();
  void OnRead(size_t bytes, const base::Status& status);
  void Advance();
  void HandleRequest();
  void Refuse(int status, const std::string& message);
  void Flush();
  void WriteHead(const Answer::Parts& parts);
  void WriteChunks(std::vector<std::string> chunks);
  void WriteEnd();
  void Enqueue(std::string bytes);
  void WriteNext();
  void OnWritten(size_t body_bytes);
  void FinishAnswer();
  void FinishConnection();

  const std::shared_ptr<EventLoop> loop_;
  const std::shared_ptr<Stream> stream_;
  const ServerOptions& options_;
  Handler& handler_;
  const std::shared_ptr<std::atomic<size_t>> total_;
  std::function<void()> exceeded_;
  std::function<void()> gone_;
  Timer linger_;

  enum class State {
    kHandshake,
    kRequest,    // reading one, or waiting for it
    kAnswer,     // one is being handled and answered
    kRefused,    // an error was written: what still comes is dropped until the client has read it
    kFinishing,  // saying goodbye
    kClosed,
  };
  State state_ = State::kHandshake;
  base::Duration waited_{0};
  bool close_after_ = false;

  Peer peer_;
  RequestParser parser_;
  std::array<char, 16384> read_buffer_;
  bool reading_ = false;
  bool body_coming_ = false;  // the header has been read, the body not yet
  size_t dropped_bytes_ = 0;

  std::shared_ptr<Answer> answer_;
  Body body_;
  bool head_request_ = false;
  bool chunks_understood_ = true;

  std::vector<std::string> out_;   // waits for the write under way
  size_t out_body_bytes_ = 0;      // of those, bytes of the answer's body
  bool writing_ = false;
};

}  // namespace kueue::net
