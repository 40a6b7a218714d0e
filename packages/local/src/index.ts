/**
 * The embedded Kubernetes in one process: the API server, the controllers and the node, joined. kubectl
 * and unmodified controllers can use it. A development and test tier.
 */
export type {
  CommandOptions,
  ContainerReference,
  LogOptions,
  PodCommand,
  PodStreams,
} from "@rookery/apiserver";
export {
  type CertificateFiles,
  isDataEntry,
  localVersion,
  lockStore,
  makeFolder,
  openPrivateFile,
  replacePrivateFile,
  tightenData,
} from "@rookery/embedded-apiserver";
export {
  endFormerRun,
  type ImageProgram,
  type ImagePrograms,
  isRunning,
  type ProcessHandle,
  processIdentity,
  runsNonRoot,
  signalProcess,
} from "@rookery/embedded-node";
export { startLocalServer } from "./load-local-server.ts";
export type { LocalNodeOptions, LocalServerOptions } from "./local-options.ts";
export type { LocalServer } from "./start-local-server.ts";
