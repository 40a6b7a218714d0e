/**
 * A kube-apiserver that keeps its objects in SQLite, as a library: it does what a real one does by
 * itself, and nothing of controllers and nodes. A development and test tier.
 *
 * From the bottom: `store` keeps objects; `registry` gives them the verbs of an API; `kinds` has one
 * file for each kind that Kubernetes has compiled in, `types` their fields, `reviews` the kinds that
 * are only answered; `managed-fields` is server-side apply; `crds`, `webhooks` and `aggregation`
 * extend it; `authentication`, `rbac` and `admission` decide who may do what; `streaming` leads into
 * pods; `post-start-hooks` has what kube-apiserver does after its start; `server` joins all of it.
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
