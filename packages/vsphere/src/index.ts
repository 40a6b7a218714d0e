/**
 * The vSphere provider: clusters and machines on vCenters, each cluster with an identity of its own.
 *
 * `setupVSphere` adds the controllers to a manager. `identity/` keeps accounts, `secret/` releases their Secrets,
 * `cluster/` connects clusters, `machine/` reports machines to Cluster API, `vm/` makes them on a vCenter.
 * `credentials/` decides which account is used, `claims/` holds it, all share `sessions/`, and `webhooks/` reject
 * early what controllers reject too. `vim/` is the client: a small part of the vSphere API, typed, over SOAP; `rest/`
 * has the calls that only the REST API offers.
 */
export { vsphereRelease } from "./install/release-files.ts";
export { runVSphere } from "./run-vsphere.ts";
export { simulatorSource } from "./simulator-source.ts";
