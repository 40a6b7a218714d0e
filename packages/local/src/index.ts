/**
 * The embedded Kubernetes: an API server on SQLite that kubectl and unmodified controllers can use,
 * with the controllers that an API server alone still needs. A development and test tier.
 *
 * From the bottom: `store` keeps objects; `registry` gives them the verbs of an API; `kinds` has one
 * file for each kind that Kubernetes has compiled in, `types` their fields; `managed-fields` is
 * server-side apply; `crds`, `webhooks` and `aggregation` are how it is extended; `authentication`
 * and `rbac` say who may do what; `controllers` tidy up, `workloads` sees to what runs pods, and
 * `scheduling`, `services` and `volumes` to what they need; `node` runs them as processes, `streaming`
 * leads into them; `server` puts it together.
 */

export type {
  CommandOptions,
  ContainerReference,
  LogOptions,
  PodCommand,
  PodStreams,
} from "@rookery/apiserver";
export { startLocalServer } from "./load-local-server.ts";
export type { LocalNodeOptions, LocalServerOptions } from "./local-options.ts";
export { endFormerRun } from "./node/former-run.ts";
export type { ImageProgram, ImagePrograms } from "./node/images.ts";
export { runsNonRoot } from "./node/mount-mode.ts";
export {
  isRunning,
  type ProcessHandle,
  processIdentity,
  signalProcess,
} from "./node/process-identity.ts";
export type { CertificateFiles } from "./server/certificate-files.ts";
export { localVersion } from "./server/version.ts";
export type { LocalServer } from "./start-local-server.ts";
export { lockStore } from "./store/lock-store.ts";
export { makeFolder } from "./store/make-folder.ts";
export {
  isDataEntry,
  openPrivateFile,
  replacePrivateFile,
  tightenData,
} from "./store/private-files.ts";
