/**
 * The vSphere provider: clusters and machines on vCenters, each cluster with an identity of its own.
 *
 * `setupVSphere` adds the controllers to a manager. `identity/` keeps accounts, `secret/` releases their Secrets,
 * `cluster/` connects clusters, `machine/` reports machines to Cluster API, `vm/` makes them on a vCenter.
 * `credentials/` decides which account is used, `claims/` holds it, all share `sessions/`, and `webhooks/` reject
 * early what controllers reject too. `vim/` is the client: a small part of the vSphere API, typed, over SOAP; `rest/`
 * has the calls that only the REST API offers.
 */
export type { OwnAccount, OwnCredentials } from "./credentials/resolve-identity.ts";
export {
  InvalidCredentialsError,
  InvalidServerError,
  isFault,
  SessionsClosedError,
  TaskFailedError,
  TrustMissingError,
  UnexpectedAnswerError,
  VimFaultError,
} from "./errors.ts";
export { type ReleaseOptions, vsphereRelease } from "./install/release-files.ts";
export { runVSphere } from "./run-vsphere.ts";
export type { Session, SessionMetrics, SessionTarget } from "./sessions/session.ts";
export { SessionManager, type SessionManagerOptions } from "./sessions/session-manager.ts";
export {
  setupVSphere,
  setupVSphereWebhooks,
  type VSphereOptions,
  type VSphereWebhookOptions,
} from "./setup.ts";
export { simulatorSource } from "./simulator-source.ts";
export { type About, connectVCenter, type VCenter, type VCenterOptions } from "./vim/connect.ts";
export {
  type FindByUuid,
  findByInventoryPath,
  findVirtualMachineByUuid,
  type ListOptions,
  listObjects,
} from "./vim/inventory.ts";
export {
  formatReference,
  type ManagedObjectReference,
  parseReference,
} from "./vim/managed-object.ts";
export type { Properties, PropertyWatch, Watching } from "./vim/properties.ts";
export { type ObjectContent, retrieveProperties } from "./vim/properties.ts";
export { PropertyStream } from "./vim/property-stream.ts";
export {
  type Credentials,
  currentSession,
  listSessions,
  login,
  logout,
  terminateSessions,
  type UserSession,
} from "./vim/session.ts";
export { type TaskInfo, waitForTask } from "./vim/tasks.ts";
export {
  type CloneOptions,
  cloneVirtualMachine,
  destroy,
  powerOff,
  powerOn,
  reconfigureVirtualMachine,
  shutdownGuest,
  type VirtualMachineConfig,
} from "./vim/virtual-machine.ts";
export { childrenOf, textAt, textOf, type XmlNode } from "./vim/xml-reader.ts";
export { validatingWebhookConfiguration } from "./webhooks/configuration.ts";
