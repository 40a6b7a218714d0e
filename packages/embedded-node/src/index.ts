/**
 * A Kubernetes node whose pods are processes of this machine, on any API server.
 *
 * `pod` has what can be known of a pod from its object, `processes` the processes and users of the
 * machine, `volumes`, `probes` and `containers` what a pod is made of; `workers` bring pods to where
 * their objects want them. `names` and `services` make Services reachable.
 */
export type { ImageProgram, ImagePrograms } from "./containers/images.ts";
export { loadNode } from "./load-node.ts";
export type { LocalNode } from "./node.ts";
export { endFormerRun } from "./processes/former-run.ts";
export { runsNonRoot } from "./processes/mount-mode.ts";
export {
  isRunning,
  type ProcessHandle,
  processIdentity,
  signalProcess,
} from "./processes/process-identity.ts";
