/**
 * Talks to a Kubernetes API server. `loadConfig` finds out where it is and who the client is
 * (kubeconfig files, or the service account of a pod); `createClient` connects to it.
 *
 * A client is a handler with interceptors around it (`transport/` has their order): what needs no
 * server, such as a test, passes a handler of its own to `createClientOver`. Objects are plain;
 * failures of the server are StatusErrors, those on the way RequestErrors. Behaviour and names
 * follow client-go.
 */
export { isAllowed } from "./access-review.ts";
export {
  type Client,
  createClient,
  createClientOver,
  type RawRequest,
  type VersionInfo,
  withSignal,
} from "./client.ts";
export type { Credential, CredentialSource } from "./credentials/credential.ts";
export { createDiscovery, type Discovery, type DiscoveryOptions } from "./discovery/discovery.ts";
export type { ApiGroup, ApiResources, PartialKind } from "./discovery/resource-index.ts";
export {
  createRestMapper,
  type RestMapper,
  type RestMapperOptions,
} from "./discovery/rest-mapper.ts";
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
export { type LoadOptions, listContexts, loadConfig } from "./kubeconfig/load-config.ts";
export { proxyFromEnvironment } from "./kubeconfig/proxy-environment.ts";
export { parseUntrustedConfig, type UntrustedOptions } from "./kubeconfig/untrusted-config.ts";
export type { ListPart, OnListPart } from "./resource/list-parts.ts";
export { getOptional, ignoreAlreadyExists, ignoreNotFound } from "./resource/missing-objects.ts";
export type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  RequestOptions,
  ResourceVersionMatch,
  WatchOptions,
  WriteOptions,
} from "./resource/options.ts";
export type { OnPage, Page } from "./resource/pages.ts";
export type { JsonPatchOperation, Patch } from "./resource/query.ts";
export type { ResourceClient } from "./resource/resource-client.ts";
export type { Scale, SubresourceClient } from "./resource/subresource-client.ts";
export { isInitialEventsEnd, type WatchEvent } from "./resource/watch-event.ts";
export type { OnWatchEvent } from "./resource/watch-sink.ts";
export { systemTime, type Timekeeper } from "./timekeeper.ts";
export {
  foreignLimits,
  noTransportLimits,
  type TransportLimits,
} from "./transport/limit-answers.ts";
export type { RateLimit } from "./transport/rate-limit.ts";
export type { Attempt, Trace } from "./transport/tracing.ts";
export { createTransport, type Transport, type TransportOptions } from "./transport/transport.ts";
