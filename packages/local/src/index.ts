/**
 * The embedded Kubernetes in one process: API server, controllers and node. Serves kubectl and
 * unmodified controllers. For development and tests.
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
