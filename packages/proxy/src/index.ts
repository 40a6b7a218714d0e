/**
 * The proxy between an unmodified app and the API server: the app speaks of its own API groups, the
 * cluster has them under other names, and everything that passes is renamed on its way. A second
 * listener does the same, the other way round, for calls that the API server makes to the app. It may
 * also narrow what the app sees to a namespace scope (`scope/`).
 *
 * `proxy-handler.ts` is what happens to a request, `setup.ts` puts a proxy together from its flags,
 * `sidecar.ts` tells how an app in a pod finds the proxy beside it, `inject/` renders its manifests so.
 */
// What rendering is told of the groups: who renders need not know the rest of renaming.
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
