/**
 * The controllers of kube-controller-manager and kube-scheduler. They read from the store of an API
 * server in the same process, which is never behind, and write through its API.
 *
 * `workloads` has those of what runs pods, `scheduling`, `services` and `volumes` those of what pods
 * need; `garbage-collector`, `namespace-deletion`, `service-accounts` and `certificates` tidy up.
 */
export type { ControllerContext } from "./context/context.ts";
export { type StartControllersOptions, startControllers } from "./start-controllers.ts";
export type { VolumeProvisioner } from "./volumes/volume-provisioner.ts";
