/**
 * kube-apiserver on SQLite, as a library: without controllers and nodes. For development and tests.
 * Layers from the bottom: `store` keeps objects; `registry` implements the verbs; `kinds` has one
 * file for each built-in kind, `types` their fields, `reviews` the kinds that are only answered;
 * `managed-fields` is server-side apply; `crds`, `webhooks` and `aggregation` extend the API;
 * `authentication`, `rbac` and `admission` control access; `streaming` connects to pods;
 * `post-start-hooks` runs after the start; `server` assembles all of it.
 */
export { loadApiServer } from "./load-api-server.ts";
export type { ApiServerOptions } from "./server/api-server-options.ts";
export type { CertificateFiles } from "./server/certificate-files.ts";
export type { LocalPki } from "./server/local-pki.ts";
export type { EmbeddedApiServer } from "./server/start-api-server.ts";
export { localVersion } from "./server/version.ts";
export { lockStore } from "./store/lock-store.ts";
export { makeFolder } from "./store/make-folder.ts";
export {
  isDataEntry,
  openPrivateFile,
  replacePrivateFile,
  tightenData,
  writePrivateFile,
} from "./store/private-files.ts";
export type { Store } from "./store/store.ts";
