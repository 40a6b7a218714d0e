/**
 * Talks to a Kubernetes API server. `loadConfig` finds out where it is and who the client is
 * (kubeconfig files, or the service account of a pod); `createClient` connects to it.
 *
 * A client is a handler with interceptors around it (`transport/` has their order): what needs no
 * server, such as a test, passes a handler of its own to `createClientOver`. Objects are plain;
 * failures of the server are StatusErrors, those on the way RequestErrors. Behaviour and names
 * follow client-go.
 */
export {
  ConfigError,
  type ConfigPlace,
  CredentialError,
  NoMatchError,
  RequestTimeoutError,
  ScopeError,
  UnexpectedAnswerError,
  WatchEventError,
} from "./errors.ts";
export type {
  ClientConfig,
  ExecConfig,
  Impersonation,
  PemSource,
  UserConfig,
} from "./kubeconfig/client-config.ts";
export { type InClusterOptions, inClusterConfig } from "./kubeconfig/in-cluster.ts";
export { type LoadOptions, loadConfig } from "./kubeconfig/load-config.ts";
export { systemTime, type Timekeeper } from "./timekeeper.ts";
export type { RateLimit } from "./transport/rate-limit.ts";
export type { Attempt, Trace } from "./transport/tracing.ts";
export { createTransport, type Transport, type TransportOptions } from "./transport/transport.ts";
