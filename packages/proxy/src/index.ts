/**
 * The proxy between an unmodified app and the API server: the app uses its own API groups, the
 * cluster has other names for them, and all traffic is renamed. A second listener renames calls of
 * the API server to the app. The proxy may also restrict the app to a namespace scope
 * (`scope/`).||`proxy-handler.ts` handles requests, `setup.ts` creates a proxy from flags,
 * `sidecar.ts` describes how an app in a pod finds the proxy, `inject/` renders manifests.
 */
// For callers of the rendering, which need no other part of group-suffix.
export { createGroupMapping, InvalidMappingError, type SuffixPair } from "@rookery/group-suffix";
export { type ProxyFlagValues, parseProxyFlags } from "./flags/proxy-flags.ts";
export {
  AlreadyInjectedError,
  InvalidInstanceError,
  ManifestFileError,
  UnsafeManifestError,
} from "./inject/errors.ts";
export { type Injected, injectProxy } from "./inject/inject-proxy.ts";
export { type InjectIo, runInject } from "./inject/main.ts";
export type { InjectOptions } from "./inject/plan.ts";
export { runProxy } from "./main.ts";
export { type ApiProxy, createProxy, type ProxyOptions } from "./setup.ts";
export { defaultPorts, serviceAccountFolder, sidecarEnvironment } from "./sidecar.ts";
