#include "net/message_parser.h"

#include <gtest/gtest.h>

namespace kueue::net {
namespace {

using Event = RequestParser::Event;
using State = ResponseParser::State;

// Feeds one byte at a time until something other than kNeedMore and kHeader happens.
Event FeedSlowly(RequestParser& parser, std::string_view bytes) {
  Event event = Event::kNeedMore;
  for (const char c : bytes) {
    parser.Append(std::string_view(&c, 1));
    do {
      event = parser.Advance();
    } while (event == Event::kHeader);
    if (event != Event::kNeedMore) break;
  }
  return event;
}

TEST(RequestParser, ReadsAnyPieces) {
  RequestParser parser(4096, 100);
  ASSERT_EQ(FeedSlowly(parser, "POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"),
            Event::kRequest);
  EXPECT_TRUE(parser.keep_alive());
  const Request request = parser.TakeRequest();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/a?b=c");
  EXPECT_EQ(HeaderOf(request.headers, "host"), "x");
  EXPECT_EQ(request.body, "hello");
}

TEST(RequestParser, ReadsChunksAndUnknownMethods) {
  RequestParser parser(4096, 100);
  ASSERT_EQ(FeedSlowly(parser,
                       "FROB / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                       "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"),
            Event::kRequest);
  const Request request = parser.TakeRequest();
  EXPECT_EQ(request.method, "FROB");
  EXPECT_EQ(request.body, "abcde");
}

TEST(RequestParser, RequestsInOnePieceFollowEachOther) {
  RequestParser parser(4096, 100);
  parser.Append("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.0\r\n\r\n");
  EXPECT_EQ(parser.Advance(), Event::kHeader);
  ASSERT_EQ(parser.Advance(), Event::kRequest);
  EXPECT_EQ(parser.TakeRequest().target, "/1");
  parser.Next();
  EXPECT_EQ(parser.Advance(), Event::kHeader);
  ASSERT_EQ(parser.Advance(), Event::kRequest);
  EXPECT_FALSE(parser.keep_alive());
  EXPECT_FALSE(parser.understands_chunks());
  EXPECT_EQ(parser.TakeRequest().target, "/2");
  parser.Next();
  EXPECT_EQ(parser.Advance(), Event::kNeedMore);
}

TEST(RequestParser, UpgradeIsAnOrdinaryRequest) {
  RequestParser parser(4096, 100);
  ASSERT_EQ(FeedSlowly(parser, "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x/1\r\n\r\n"),
            Event::kRequest);
  EXPECT_EQ(HeaderOf(parser.TakeRequest().headers, "upgrade"), "x/1");
}

TEST(RequestParser, TellsWhoWaitsForContinue) {
  RequestParser parser(4096, 100);
  parser.Append("PUT / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n");
  ASSERT_EQ(parser.Advance(), Event::kHeader);
  EXPECT_TRUE(parser.expects_continue());
  EXPECT_EQ(parser.Advance(), Event::kNeedMore);
  parser.Append("x");
  ASSERT_EQ(parser.Advance(), Event::kRequest);
}

TEST(RequestParser, RefusesWhatIsTooLargeOrMalformed) {
  const auto status = [](const std::string& bytes) {
    RequestParser parser(200, 10);
    return FeedSlowly(parser, bytes) == Event::kError ? parser.error_status() : 0;
  };
  EXPECT_EQ(status("PUT / HTTP/1.1\r\nContent-Length: 11\r\n\r\n"), 413);
  EXPECT_EQ(status("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                   "6\r\nabcdef\r\n6\r\nabcdef\r\n0\r\n\r\n"),
            413);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nA: " + std::string(300, 'x') + "\r\n\r\n"), 431);
  EXPECT_EQ(status("GET /" + std::string(300, 'x') + " HTTP/1.1\r\n\r\n"), 431);
  EXPECT_EQ(status("\x16\x03\x01\x02"), 400);
  EXPECT_EQ(status("PRI * HTTP/2.0\r\n\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nContent-Length: 1\r\n"
                   "Transfer-Encoding: chunked\r\n\r\n"),
            400);
}

class ResponseParserTest : public testing::Test {
 protected:
  State FeedSlowly(std::string_view bytes) {
    State state = State::kNeedMore;
    for (const char c : bytes) state = parser.Feed(std::string_view(&c, 1));
    return state;
  }
  int status = 0;
  std::string body;
  ResponseParser parser{{[this](int s, const Headers&) { status = s; },
                         [this](std::string_view data) { body += data; }}};
};

TEST_F(ResponseParserTest, SkipsInterimResponses) {
  parser.Next(false);
  EXPECT_FALSE(parser.started());
  EXPECT_EQ(FeedSlowly("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n"
                       "Content-Length: 2\r\n\r\nok"),
            State::kDone);
  EXPECT_EQ(status, 201);
  EXPECT_EQ(body, "ok");
  EXPECT_TRUE(parser.keep_alive());
}

TEST_F(ResponseParserTest, TellsChunksAsTheyArrive) {
  parser.Next(false);
  EXPECT_EQ(parser.Feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), State::kNeedMore);
  EXPECT_EQ(status, 200);
  EXPECT_EQ(parser.Feed("3\r\nabc\r\n"), State::kNeedMore);
  EXPECT_EQ(body, "abc");
  EXPECT_EQ(parser.Feed("3\r\nd"), State::kNeedMore);
  EXPECT_EQ(body, "abcd");
  EXPECT_EQ(parser.Feed("ef\r\n0\r\n\r\n"), State::kDone);
  EXPECT_EQ(body, "abcdef");
}

TEST_F(ResponseParserTest, HeadHasNoBody) {
  parser.Next(true);
  EXPECT_EQ(parser.Feed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), State::kDone);
}

TEST_F(ResponseParserTest, CloseEndsABodyWithoutLengthOnly) {
  parser.Next(false);
  EXPECT_EQ(parser.Feed("HTTP/1.0 200 OK\r\n\r\nabc"), State::kNeedMore);
  EXPECT_EQ(parser.FeedEnd(), State::kDone);
  EXPECT_EQ(body, "abc");
  EXPECT_FALSE(parser.keep_alive());
  parser.Next(false);
  EXPECT_EQ(parser.Feed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"), State::kNeedMore);
  EXPECT_EQ(parser.FeedEnd(), State::kError);
  parser.Next(false);
  EXPECT_EQ(parser.FeedEnd(), State::kError);
}

TEST_F(ResponseParserTest, GarbageIsAnError) {
  parser.Next(false);
  EXPECT_EQ(parser.Feed("SSH-2.0-OpenSSH\r\n"), State::kError);
  parser.Next(false);
  EXPECT_EQ(parser.Feed("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1"), State::kError);
}

}  // namespace
}  // namespace kueue::net
