/**
 * The proxy between an unmodified app and the API server: the app speaks of its own API groups, the
 * cluster has them under other names, and everything that passes is renamed on its way. A second
 * listener does the same, the other way round, for calls that the API server makes to the app.
 */
export { defaultPorts, serviceAccountFolder, sidecarEnvironment } from "./sidecar.ts";
