#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace kueue::kube {

// The standard alphabet with padding, as in Secrets and kubeconfig files.
std::string Base64Encode(std::string_view bytes);
// White space is skipped; anything else outside the alphabet, or wrong padding, is kBadRequest.
base::Result<std::string> Base64Decode(std::string_view text);

}  // namespace kueue::kube
