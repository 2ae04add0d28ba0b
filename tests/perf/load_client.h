#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kueue::perf {

// Many HTTPS connections to one server on this machine, on one thread: as little work on this side
// as can be, so that it is the server that is measured. No certificate is checked.
class LoadClient {
 public:
  // Ends the program with a message if a connection cannot be made.
  LoadClient(uint16_t port, const std::string& token, int connections);
  ~LoadClient();

  struct Answer {
    int connection;
    int status;
    std::string_view body;
    double seconds;  // since the request was sent
  };
  // "" : this connection is done.
  using NextRequest = std::function<std::string(int connection)>;
  using OnAnswer = std::function<void(const Answer&)>;
  // Keeps one request under way on each connection until all are done. `next` gives whole requests
  // (see Request). Returns the seconds it took.
  double Run(const NextRequest& next, const OnAnswer& on_answer);

  // Sends `request` on the connection and calls `on_bytes` with what arrives on any connection that
  // is streaming, until `done` is true.
  void Send(int connection, const std::string& request);
  void Stream(const std::function<void(int connection, std::string_view bytes)>& on_bytes,
              const std::function<bool()>& done);

  std::string Request(const std::string& method, const std::string& target,
                      const std::string& body = "") const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Seconds since some fixed moment, the same for all processes.
double Now();
// The value that so much of `values` is at most; 0.5 is the median. Sorts them.
double Percentile(std::vector<double>& values, double part);

}  // namespace kueue::perf
