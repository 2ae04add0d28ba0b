#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "net/client.h"

namespace kueue::kube {

// How to reach a cluster, and as whom.
struct ClusterAccess {
  net::ClientOptions connection;
  std::string path_prefix;     // of the server URL; for ClientSettings
  std::string bearer_token;    // may be empty
  std::string namespace_name;  // the context's; "default" if it has none
  std::string context;         // its name; "" in a cluster
};

// Gives the contents of a file, or why not.
using ReadFile = std::function<base::Result<std::string>(const std::string& path)>;
base::Result<std::string> ReadWholeFile(const std::string& path);

// Reads a kubeconfig text. `context` "": the current one. Relative file names in it are taken from
// `folder`. Errors (kBadRequest, kNotFound) name the entry. What would be ignored silently is
// refused: exec and auth-provider plugins, user names, proxies, tls-server-name.
base::Result<ClusterAccess> ParseKubeconfig(const std::string& text, const std::string& context,
                                            const std::string& folder,
                                            const ReadFile& read_file = ReadWholeFile);
// As ParseKubeconfig, from a file.
base::Result<ClusterAccess> ReadKubeconfig(const std::string& path, const std::string& context);

// The access a pod has by its service account: `folder` holds the files token, ca.crt and
// namespace; host and port come from KUBERNETES_SERVICE_HOST and _PORT.
base::Result<ClusterAccess> InClusterAccess(const std::string& folder, const std::string& host,
                                            const std::string& port);

// One cluster, user and context of one name.
struct KubeconfigEntry {
  std::string name;
  std::string server;  // URL
  std::string authority_pem, certificate_pem, key_pem, bearer_token;  // each may be empty
  std::string namespace_name;                                        // may be empty
};

// A kubeconfig with just this entry, current. YAML; credentials are inside (base64).
std::string WriteKubeconfig(const KubeconfigEntry& entry);
// Puts the entry into a kubeconfig (which may be empty), replacing its namesakes; everything else
// stays as it is. `make_current` also makes it the current context.
base::Result<std::string> MergeKubeconfig(const std::string& text, const KubeconfigEntry& entry,
                                          bool make_current);
// Takes cluster, user and context of that name out; no error if there are none.
base::Result<std::string> RemoveFromKubeconfig(const std::string& text, const std::string& name);

}  // namespace kueue::kube
