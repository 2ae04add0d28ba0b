#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

// Further users of an instance: whoever has a client certificate of its authority is who the
// certificate names. What they may do is said by roles and bindings.
namespace kueue::embedded {

struct UserRequest {
  std::string name;  // at most 64 characters
  std::vector<std::string> groups;
};

// "name" or "name:group,group".
base::Result<UserRequest> ParseUser(const std::string& text);

// Issues a certificate by the authority in `folder` (valid for a year) and writes a kubeconfig with
// it, readable by its owner only. `server` is the URL; `path` "": <folder>/users/<name>.kubeconfig.
// Returns the path. Errors say what is wrong with the name, or that no instance ever ran there.
base::Result<std::string> WriteUser(const std::string& folder, const std::string& server,
                                    const UserRequest& user, const std::string& path,
                                    base::Time now);

}  // namespace kueue::embedded
