/**
 * The controller runtime. A manager runs controllers; a controller takes requests from its queue,
 * which its sources fill from events, and calls one plain function, `reconcile(request, signal)`.
 * Names and behaviour are controller-runtime's; time is injected, so that tests need not wait.
 */

export { CircuitBreakers } from "./breaker/circuit-breakers.ts";
export { type ControllerBuilder, controllerFor } from "./builder/controller-for.ts";
export {
  type ControllerParts,
  createReconcileContext,
  type ReconcileCache,
  type ReconcileContext,
} from "./builder/reconcile-context.ts";
export { type Cache, createCache } from "./cache/cache.ts";
export { createInformer, type Informer, type InformerOptions } from "./cache/informer.ts";
export { createInformerSource } from "./cache/informer-source.ts";
export type { ListMethod } from "./cache/list-plan.ts";
export { byOwnerUid } from "./cache/object-store.ts";
export type { ObjectEvent } from "./cache/replica.ts";
export { metadataOnlyClient, withoutManagedFields } from "./cache/transforms.ts";
export { limitTime, onAbort, untilAborted } from "./clock/abort.ts";
export { type MonotonicClock, systemClock, type Timer } from "./clock/clock.ts";
export { pause, sleep } from "./clock/sleep.ts";
export { type Commit, createResourceCommitter } from "./committer/committer.ts";
export { deleteObject } from "./committer/delete-object.ts";
export { type ReadAndCommit, withOwnWrites } from "./committer/own-writes.ts";
export { type Controller, createController } from "./controller/controller.ts";
export type { WithMetadata } from "./controller/event.ts";
export {
  type EventHandler,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type MapFunction,
} from "./controller/event-handlers.ts";
export {
  annotationsChanged,
  generationChanged,
  labelsChanged,
  not,
  objectMatches,
  or,
  type Predicate,
  resourceVersionChanged,
} from "./controller/predicates.ts";
export type { Request, RequestQueue } from "./controller/request.ts";
export { done, type Result, requeue, requeueAfter, stop } from "./controller/result.ts";
export {
  createEventChannel,
  createEventSource,
  type EventChannel,
  type Source,
} from "./controller/source.ts";
export {
  createStoreSource,
  requestForEntry,
  requestForNamespace,
} from "./controller/store-source.ts";
export type { FailedReconcile, Reconcile } from "./controller/worker.ts";
export {
  CircuitOpenError,
  ConversionError,
  FlagsError,
  LeaseTakenError,
  OutOfScopeError,
  OwnNamespaceError,
  ReconcileTimeoutError,
  TerminalError,
} from "./errors.ts";

export {
  type CoreEvent,
  CoreEvents,
  createCoreEventBroadcaster,
  type EventSubject,
} from "./events/core-events.ts";
export type { EventType, KubeEvent } from "./events/event.ts";
export { eventResource } from "./events/event.ts";
export { createEventBroadcaster, type EventRecorder } from "./events/event-broadcaster.ts";
export type { EventOptions } from "./events/make-event.ts";
export {
  hasFinalizer,
  isBeingDeleted,
  withFinalizer,
  withoutFinalizer,
} from "./finalizers/finalizers.ts";
export { type Flag, type FlagTable, FlagValueError, type FlagValues } from "./flags/flag.ts";
export {
  addressFlag,
  booleanFlag,
  durationFlag,
  integerFlag,
  listFlag,
  stringFlag,
} from "./flags/flag-kinds.ts";
export { flagsHelp, type ParsedFlags, parseFlags } from "./flags/parse-flags.ts";
export {
  concurrencyFlag,
  type ProviderFlagValues,
  parseProviderFlags,
  providerFlags,
  webhookFlags,
} from "./flags/provider-flags.ts";
export {
  createHealth,
  createHealthServer,
  type Health,
  type HealthCheck,
  ping,
} from "./health/health.ts";
export type { CertificateSource } from "./http-server/certified-server.ts";
export {
  CertifiedListener,
  type CertifiedServerOptions,
  createCertifiedServer,
  listenOn,
} from "./http-server/certified-server.ts";
export { LeaderElector } from "./leader-election/leader-elector.ts";
export type { Leadership } from "./leader-election/leadership.ts";
export type { Lease } from "./leader-election/lease.ts";
export { createLifecycle, type Lifecycle } from "./lifecycle/lifecycle.ts";
export { errorFinding } from "./lifecycle/report-error.ts";
export type {
  LifecycleErrors,
  LifecycleScope,
  LifecycleSteps,
  Outcome,
} from "./lifecycle/steps.ts";
export { type Logger, silentLogger } from "./logging/logger.ts";
export { createLogger } from "./logging/pino-logger.ts";
export { createManager, type Manager } from "./manager/manager.ts";
export type { Runnable, RunnableGroup } from "./manager/runnable.ts";
export { setupSignalHandler } from "./manager/signals.ts";
export { startRunnables } from "./manager/start-runnables.ts";
export {
  type ManagerManifestOptions,
  type ManagerManifests,
  managerManifests,
  providerNames,
} from "./manifests/manager-manifests.ts";
export {
  certificateRule,
  eventAndWebhookRules,
  forNames,
  leaseRules,
  type PolicyRule,
  policyRule,
  readVerbs,
  role,
  roleBinding,
} from "./manifests/roles.ts";
export { collectGarbage, collectStartGarbage } from "./memory/collect-garbage.ts";
export { createMetrics, createMetricsServer, type Metrics } from "./metrics/metrics.ts";
export { Counter, Gauge, Histogram, metricsIn } from "./metrics/prometheus.ts";
export { createProvider, type Provider, readyWithCaches } from "./provider/provider.ts";
export { type ProviderWebhooksOptions, serveWebhooks } from "./provider/webhooks.ts";
export { createWorkQueue } from "./queue/work-queue.ts";
export {
  allNamespaces,
  isInScope,
  type NamespaceScope,
  namespaceExpression,
  watchTargetsOf,
} from "./scope/namespace-scope.ts";
export { detectOwnNamespace } from "./scope/own-namespace.ts";
export { namespaceScopeProblems, parseNamespaceScope } from "./scope/scope-flags.ts";
export type { AdmissionOperation } from "./webhook/admission-review.ts";
export type { AdmissionContext } from "./webhook/admission-webhook.ts";
export {
  type CaBundleInjector,
  type ConvertedDefinition,
  injectIntoAll,
  injectIntoConversion,
  injectIntoWebhooks,
  type PatchingClient,
  type WebhookConfiguration,
} from "./webhook/ca-bundle-injector.ts";
export { createCertificateFiles } from "./webhook/certificate-files.ts";
export { CertificateSecret, type Secret, type SecretClient } from "./webhook/certificate-secret.ts";
export {
  type JudgedKind,
  mutatingConfiguration,
  validatingConfiguration,
  type WebhookAddress,
} from "./webhook/configuration.ts";
export { conversionWebhook } from "./webhook/conversion-webhook.ts";
export { hubConversion } from "./webhook/hub-conversion.ts";
export {
  createIssuedCertificate,
  type IssuedCertificateOptions,
  issuedSecretLabels,
  issuedSecretName,
} from "./webhook/issued-certificate.ts";
export {
  denyInvalid,
  type Mutator,
  mutatingWebhook,
  type Validator,
  validatingWebhook,
} from "./webhook/kind-webhooks.ts";
export { mutatingPath, validatingPath, type Webhook } from "./webhook/webhook.ts";
export { WebhookServer } from "./webhook/webhook-server.ts";
