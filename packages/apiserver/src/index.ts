/**
 * A generic API server library. `createApiServer` takes API groups as data (`ServedGroup`), an
 * authenticator, an authorizer and admission plugins. Its handler answers like kube-apiserver,
 * including messages, with or without a socket (`serve`). A kind provides functions for its verbs;
 * there is no store. Extension API servers use `createDelegatingAuthenticator` and
 * `createDelegatingAuthorizer`, which reach the cluster by functions of the caller (a ConfigMap,
 * TokenReviews, SubjectAccessReviews).
 */
export type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  Reinvocation,
} from "./admission/admission.ts";
export { type Authenticator, unionAuthenticator } from "./authentication/authenticator.ts";
export {
  type AuthenticationConfigData,
  type ClusterAuthentication,
  ClusterAuthenticationSource,
} from "./authentication/cluster-authentication.ts";
export { createDelegatingAuthenticator } from "./authentication/delegating.ts";
export type { ReviewToken, TokenReviewStatus } from "./authentication/token.ts";
export {
  type Attributes,
  type Authorizer,
  type Decision,
  emptyAttributes,
  unionAuthorizer,
} from "./authorization/authorizer.ts";
export { allowPrivilegedGroup, createDelegatingAuthorizer } from "./authorization/delegating.ts";
export type {
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from "./authorization/subject-access-review.ts";
export { DecodeError } from "./codec/decode-error.ts";
export { describeJsonError, jsonTypeOf } from "./codec/json-error.ts";
export type { ProtobufDecoder } from "./codec/media-types.ts";
export type { NumberLiterals } from "./codec/number-literals.ts";
export { inexactInteger, isInexact } from "./codec/number-literals.ts";
export type { DelegatedGroup, DelegatedVersion, Delegation } from "./delegation.ts";
export {
  AuthenticationConfigError,
  AuthenticationError,
  AuthorizationError,
  InvalidGroupError,
  UnhealthyError,
  unclassifiedError,
} from "./errors.ts";
export type { HealthCheck } from "./health/health.ts";
export { writeHttpError } from "./negotiation/encode.ts";
export type { Audit, AuditEvent } from "./pipeline/audit.ts";
export { parseOption } from "./request/parse-option.ts";
export { userOf } from "./request/request-context.ts";
export { systemUsers, type UserInfo, userInfoObject } from "./request/user.ts";
export type { DeleteOptions } from "./resource/delete-options.ts";
export type { FieldChange, FieldManager } from "./resource/field-manager.ts";
export type {
  ConnectRequest,
  CreateRequest,
  DeleteCollectionRequest,
  DeleteRequest,
  DeleteResult,
  GetRequest,
  ListRequest,
  ResourceHandlers,
  ResourceRequest,
  ResourceStrategy,
  UpdateRequest,
  UpdateResult,
  WatchEvent,
  WatchRun,
} from "./resource/handlers.ts";
export type { ListOptions } from "./resource/list-options.ts";
export { compiledSchema } from "./resource/registry.ts";
export {
  opaqueSchema,
  type ServedConnect,
  type ServedGroup,
  type ServedResource,
  type ServedSubresource,
  type ServedVersion,
  type TableColumn,
  type TypedDecoder,
} from "./resource/served-group.ts";
export { type ApiServer, type ApiServerOptions, createApiServer } from "./server/api-server.ts";
export type { Serving } from "./server/serving.ts";
export type { VersionInfo } from "./server/version-info.ts";
export type {
  CommandOptions,
  ContainerReference,
  LogOptions,
  PodCommand,
  PodStreams,
} from "./streaming/pod-streams.ts";
export { systemTimers, type Timers } from "./timers.ts";
