#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/webhook_caller.h"
#include "base/result.h"
#include "base/time.h"

// What a write keeps while it waits for webhooks. A write is one pass over the rules that never
// blocks. Where a webhook has to be asked the pass ends, and the whole of it is made again when the
// answer is there: on the objects as they are by then, with the answers got so far and with the
// names, ids and times that were made up in the first pass. An answer counts for exactly what was
// asked: if the object has changed meanwhile, the webhook is asked again.
namespace kueue::apiserver {

class StoredObject;

struct WriteSession {
  struct Call {
    WebhookTarget target;
    std::string uid;  // of the AdmissionReview
    std::string body;
    base::Duration timeout{};
  };
  struct Answer {
    std::string uid;
    base::Result<WebhookReply> reply;
  };

  // Made up once per request.
  std::optional<std::string> generated_name, object_uid, volume_suffix;
  std::optional<base::Time> began;
  bool judged = false;   // some webhook has a say in it
  bool waiting = false;  // for answers; kept by those who ask

  // By what was asked: the webhook and the review without its uid.
  std::map<std::string, Answer> answers;
  std::map<std::string, Call> wanted;

  // Of a deletecollection: what it found, and how many of it are done.
  std::vector<std::shared_ptr<const StoredObject>> collection;
  size_t collection_done = 0;
  bool collection_found = false;

  // Of audit events. Null: nobody reads them.
  std::shared_ptr<std::map<std::string, std::string>> annotations;
};

}  // namespace kueue::apiserver
