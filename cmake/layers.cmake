# The layers as data: which component may use which (design: "arrows go down, never sideways").
# add_component() refuses a dependency that is not in this table and tools/tidy checks every
# #include against the same table, so header-only use cannot slip past.

set(KUEUE_LAYER_base         "")
set(KUEUE_LAYER_resources    "base")
set(KUEUE_LAYER_net          "base")
set(KUEUE_LAYER_metrics      "base")
set(KUEUE_LAYER_cel          "base")
set(KUEUE_LAYER_api          "base;resources;cel")
set(KUEUE_LAYER_scheduling   "base;resources;api")
set(KUEUE_LAYER_kube         "base;net;metrics;api;resources")
set(KUEUE_LAYER_apiserver    "base;net;metrics;cel;api;resources")
set(KUEUE_LAYER_integrations "base;api;resources")
set(KUEUE_LAYER_runtime      "base;metrics;api;kube;resources;net")
set(KUEUE_LAYER_admission    "base;cel;api;resources;integrations")
set(KUEUE_LAYER_controllers  "base;metrics;api;resources;scheduling;kube;integrations;runtime")
set(KUEUE_LAYER_localcluster "base;api;resources;kube;runtime")
set(KUEUE_LAYER_manager      "base;net;metrics;api;resources;scheduling;kube;integrations;runtime;admission;controllers")
set(KUEUE_LAYER_embedded     "base;net;metrics;api;resources;kube;runtime;apiserver;admission;localcluster;manager")
set(KUEUE_LAYER_simulation   "base;net;metrics;api;resources;scheduling;kube;runtime;apiserver;admission;controllers;localcluster;manager;embedded")
set(KUEUE_LAYER_cli          "base;net;metrics;api;resources;scheduling;kube;runtime;apiserver;integrations;admission;controllers;localcluster;manager;embedded;simulation")
