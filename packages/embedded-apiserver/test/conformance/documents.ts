import type { Answer, Scenario } from "@rookery/testing";

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** What is not about objects: groups, versions, health, paths that lead nowhere. */
export const documents: readonly Scenario[] = [
  {
    name: "what every cluster has",
    exchanges: [
      "/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical",
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:basic-user",
      "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:basic-user",
      "/api/v1/namespaces/kube-node-lease",
    ].map((path) => ({ what: `one at ${path}`, path })),
  },
  {
    name: "documents",
    exchanges: [
      ...[
        "/api",
        "/apis/apps",
        "/apis/rbac.authorization.k8s.io",
        "/apis/conformance.rookery.dev",
        "/apis/conformance.rookery.dev/v1",
      ].map((path) => ({ what: `discovery at ${path}`, path })),
      // A store that answers late on a busy machine makes a server unhealthy for a moment.
      ...["/healthz", "/livez", "/readyz", "/readyz/ping"].map((path) => ({
        what: `health at ${path}`,
        path,
        until: ({ status }: Answer) => status === 200,
      })),
      { what: "health at /healthz/nothing", path: "/healthz/nothing" },
      ...[
        "/nowhere",
        "/apis/nowhere.example.com",
        "/apis/apps/v0",
        "/api/v2",
        "/apis/apps/v1/nothing",
        "/api/v1/namespaces/{ns}/nothing",
        "/api/v1/namespaces/{ns}/configmaps/a/b/c",
        "/api/v1/nodes/x/y",
      ].map((path) => ({ what: `nothing at ${path}`, path })),
      { what: "discovery as something else", path: "/apis", headers: { accept: "text/html" } },
      { what: "one who is not known", path: "/api", headers: { authorization: "Bearer nonsense" } },
      { what: "an unknown method", method: "BREW", path: "/api/v1/namespaces/{ns}/configmaps" },
      { what: "a method that a document has not", method: "POST", path: "/version", body: {} },
      { what: "a path with dots", path: "/api/v1/namespaces/{ns}/configmaps/../secrets" },
      { what: "a path with an escape", path: "/api/v1/namespaces/{ns}/configmaps/%2e%2e" },
      { what: "a path with two slashes", path: "//api//v1" },
      { what: "a trailing slash", path: "/api/v1/namespaces/{ns}/configmaps/" },
      {
        what: "all groups that custom kinds have",
        path: "/apis",
        headers: { accept: aggregated },
        silent: true,
      },
    ],
  },
];
