/**
 * The embedded Kubernetes: an API server on SQLite that kubectl and unmodified controllers can use,
 * with the controllers that an API server alone still needs. A development and test tier.
 *
 * From the bottom: `store` keeps objects; `registry` gives them the verbs of an API; `kinds` has one
 * file for each kind that Kubernetes has compiled in, `types` their fields; `managed-fields` is
 * server-side apply; `crds`, `webhooks` and `aggregation` are how it is extended; `authentication`
 * and `rbac` say who may do what; `controllers` tidy up; `server` puts it together.
 */
export type { LocalServerOptions } from "./server/local-options.ts";
export { type LocalServer, startLocalServer } from "./server/start-local-server.ts";
