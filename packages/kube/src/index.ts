/**
 * Kubernetes objects and wire formats, without I/O, for Node and browsers.
 *
 * Objects are plain and read-only; functions return changed copies. Messages, rounding and patch
 * order match Kubernetes exactly, because clients compare them. Unreadable text throws a
 * ParseError with Kubernetes' reason; failures with a Status are StatusErrors.
 */
export {
  AlreadyOwnedError,
  FrameError,
  InvalidNameError,
  MalformedPathError,
  OwnerNamespaceError,
  ParseError,
  PatchError,
  QuantityError,
  WireError,
} from "./errors.ts";
export { aggregateMessages, FieldError, type FieldErrorType, omitValue } from "./field/error.ts";
export { FieldPath, fieldPath } from "./field/path.ts";
export { quote } from "./go/quote.ts";
export { formatFloat, printValue, renderJson } from "./go/value.ts";
export {
  generateName,
  maskTrailingDash,
  serviceAccountUser,
  validateApiGroupSuffix,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validatePathSegmentName,
  validateQualifiedName,
} from "./names/names.ts";
export { didYouMean, nearestName } from "./names/nearest-name.ts";
export {
  type Condition,
  type Conditioned,
  type ConditionStatement,
  type ConditionStatus,
  type Finding,
  type Findings,
  getCondition,
  hasConditionStatus,
  isFalse,
  isTrue,
  isUnknown,
  removeCondition,
  setCondition,
  statementsOf,
  withConditions,
} from "./object/conditions.ts";
export { type DeepMutable, deepCopy, deepEqual, deepFreeze, isRecord } from "./object/deep.ts";
export {
  formatObjectKey,
  keyBeside,
  type ObjectKey,
  objectKeyOf,
  parseObjectKey,
} from "./object/key.ts";
export type {
  KubeList,
  KubeObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  PartialObjectMetadata,
  TypeMeta,
} from "./object/object.ts";
export {
  controllerOf,
  controllerReferenceTo,
  hasOwnerReference,
  isControlledBy,
  isSameOwner,
  ownerReferenceTo,
  withControllerReference,
  withOwnerReference,
  withoutOwnerReference,
} from "./object/owner-references.ts";
export { repeatedPlaces } from "./object/repeated.ts";
export {
  type StoreEntry,
  type StoreEvent,
  type StoreKey,
  type StorePage,
  type StoreReader,
  type StoreSubscription,
  storedObject,
  storedObjects,
} from "./object/store-reader.ts";
export {
  applyJsonPatch,
  createJsonPatch,
  type JsonPatchOperation,
  type JsonPatchOptions,
} from "./patch/json-patch.ts";
export { decodePointer, encodePointer } from "./patch/json-pointer.ts";
export { applyMergePatch, createMergePatch } from "./patch/merge-patch.ts";
export { type PatchType, patchTypes } from "./patch/patch-type.ts";
export { applyStrategicMergePatch } from "./patch/strategic/apply.ts";
export type { PatchField, PatchSchema } from "./patch/strategic/known-schemas.ts";
export { patchSchemaOf } from "./patch/strategic/known-schemas.ts";
export { type PodConditionStatement, withPodCondition } from "./pods/pod-conditions.ts";
export {
  restrictedContainer,
  restrictedNamespace,
  restrictedPod,
} from "./pods/restricted.ts";
export type { CheckedPod } from "./pods/security/check.ts";
export {
  describePodSecurityViolations,
  type PodSecurityLevel,
  type PodSecurityLevelVersion,
  podSecurityLevels,
  podSecurityViolations,
} from "./pods/security/evaluate.ts";
export { smallNodeEnvironment } from "./pods/small-node.ts";
export {
  decodeEnvelope,
  type Envelope,
  encodeEnvelope,
  isEnvelope,
  protobufMediaType,
} from "./protobuf/envelope.ts";
export { encodeFrame, FrameReader } from "./protobuf/frame-reader.ts";
export { WireReader } from "./protobuf/wire-reader.ts";
export { type WireType, WireWriter, wireTypes } from "./protobuf/wire-writer.ts";
export { parseQuantity } from "./quantity/parse.ts";
export { percentOf } from "./quantity/percent.ts";
export { milliQuantityOf, Quantity, quantityOf } from "./quantity/quantity.ts";
export type { QuantityFormat } from "./quantity/suffix.ts";
export { type CanonicalRequest, canonicalRequest } from "./request/canonical-request.ts";
export { decodePath } from "./request/decode-path.ts";
export {
  booleanOption,
  optionalBoolean,
  optionalInteger,
  parseQuery,
} from "./request/query.ts";
export { parseRequestInfo, type RequestInfo, type RequestLine } from "./request/request-info.ts";
export { builtInResources } from "./resource/built-in-resources.ts";
export {
  formatApiVersion,
  formatGroupKind,
  formatGroupResource,
  formatGroupVersionKind,
  formatGroupVersionResource,
  type GroupKind,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  groupVersionKindOf,
  parseApiVersion,
  parseGroupKind,
  parseGroupResource,
} from "./resource/group-version.ts";
export {
  escapePathSegment,
  groupVersionPath,
  groupVersionResourceOf,
  type PathTarget,
  type Resource,
  resourcePath,
  type Verb,
} from "./resource/resource.ts";
export {
  compileSelector,
  formatLabels,
  formatSelector,
  isEmptySelector,
  type UncheckedLabelSelector,
} from "./selectors/compiled-selector.ts";
export {
  type FieldRequirement,
  fieldSelectorOf,
  namespacesExcludedSelector,
  parseFieldSelector,
} from "./selectors/field-selector.ts";
export type { LabelOperator, LabelRequirement } from "./selectors/label-requirement.ts";
export {
  type LabelSelector,
  type LabelSelectorRequirement,
  labelSelectorAsSelector,
  labelSelectorFromSet,
  parseLabelSelector,
  validateLabelSelector,
  validateLabels,
} from "./selectors/label-selector.ts";
export type { Selector, Values } from "./selectors/selector.ts";
export {
  alreadyExistsError,
  applyConflictError,
  badRequestError,
  conflictError,
  forbiddenError,
  generateNameConflictError,
  goneError,
  internalError,
  invalidError,
  methodNotSupportedError,
  notAcceptableError,
  notFoundError,
  requestEntityTooLargeError,
  resourceExpiredError,
  serverTimeoutError,
  serviceUnavailableError,
  timeoutError,
  tooManyRequestsError,
  unauthorizedError,
  unknownPathError,
  unsupportedMediaTypeError,
} from "./status/constructors.ts";
export {
  findStatusCause,
  findStatusError,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isResourceExpired,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  suggestedDelaySeconds,
} from "./status/predicates.ts";
export { type FailedResponse, statusErrorFromResponse, statusOf } from "./status/response.ts";
export {
  type Failure,
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusReason,
  statusError,
} from "./status/status.ts";
export {
  type CronField,
  type CronSchedule,
  cronScheduleProblem,
  parseCronSchedule,
} from "./time/cron-schedule.ts";
export {
  type Duration,
  durationFromMilliseconds,
  durationToMilliseconds,
  formatDuration,
  humanDuration,
  parseDuration,
  timeSince,
} from "./time/duration.ts";
export {
  type Clock,
  formatMicroTime,
  formatTime,
  type MicroTime,
  parseMicroTime,
  parseTime,
  type Time,
} from "./time/time.ts";
export { timeZoneProblem } from "./time/time-zone.ts";
export {
  defaultStorageClass,
  storageClassAnnotation,
  storageClassOf,
} from "./volumes/storage-class.ts";
