/**
 * The controller runtime. A manager runs controllers; a controller takes requests from its queue,
 * which its sources fill from events, and calls one plain function, `reconcile(request, signal)`.
 * Names and behaviour are controller-runtime's; time is injected, so that tests need not wait.
 */

export { CircuitBreakers, type CircuitBreakersOptions } from "./breaker/circuit-breakers.ts";
export {
  type ControllerBuilder,
  type ControllerForOptions,
  controllerFor,
  type Reconciler,
} from "./builder/controller-for.ts";
export {
  type ControllerParts,
  createReconcileContext,
  type ReconcileAttempt,
  type ReconcileCache,
  type ReconcileContext,
} from "./builder/reconcile-context.ts";
export {
  type Cache,
  type CacheOptions,
  createCache,
  type InformerSelection,
} from "./cache/cache.ts";
export type { ObjectEventHandler } from "./cache/handler-queue.ts";
export type { HandlerRegistration } from "./cache/handler-registration.ts";
export {
  createInformer,
  type HandlerOptions,
  type Informer,
  type InformerOptions,
} from "./cache/informer.ts";
export { createInformerSource, type InformerSourceOptions } from "./cache/informer-source.ts";
export type { ListMethod } from "./cache/list-plan.ts";
export type { ListWatch } from "./cache/list-watch.ts";
export { metadataOnlyClient } from "./cache/metadata-only.ts";
export { byOwnerUid, type IndexFunction } from "./cache/object-index.ts";
export type { ObjectQuery, ObjectReader } from "./cache/object-store.ts";
export type { ObjectEvent, Transform } from "./cache/replica.ts";
export { withoutManagedFields } from "./cache/transforms.ts";
export { type MonotonicClock, systemClock, type Timer } from "./clock/clock.ts";
export { pause } from "./clock/pause.ts";
export { sleep } from "./clock/sleep.ts";
export type { MergePatch } from "./committer/changes.ts";
export {
  type Commit,
  type CommitOptions,
  type CommitterDependencies,
  createCommitter,
} from "./committer/committer.ts";
export { type ReadAndCommit, withOwnWrites } from "./committer/own-writes.ts";
export { createResourceCommitter } from "./committer/resource-committer.ts";
export {
  type Controller,
  type ControllerOptions,
  createController,
} from "./controller/controller.ts";
export type { ControllerMetrics, ReconcileOutcome } from "./controller/controller-metrics.ts";
export {
  createErrorReporter,
  type ErrorReporterOptions,
  errorFinding,
  type FailedReconcile,
  type ReportError,
} from "./controller/error-reporter.ts";
export type {
  CreateEvent,
  DeleteEvent,
  Event,
  GenericEvent,
  UpdateEvent,
  WithMetadata,
} from "./controller/event.ts";
export {
  type EventHandler,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunction,
  type MapFunction,
  type OwnerOptions,
} from "./controller/event-handlers.ts";
export {
  and,
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
  type EventSourceOptions,
  type Source,
} from "./controller/source.ts";
export {
  createStoreSource,
  requestForEntry,
  requestForNamespace,
  type StoreSourceOptions,
} from "./controller/store-source.ts";
export type { Reconcile } from "./controller/worker.ts";
export {
  AlreadyStartedError,
  BindAddressError,
  CacheStoppedError,
  CacheSyncTimeoutError,
  CertificateFilesError,
  CircuitOpenError,
  ConditionConflictError,
  ConversionError,
  DuplicateWebhookError,
  FinalizerError,
  FlagsError,
  GracePeriodExceededError,
  IndexMissingError,
  LeaderElectionConfigError,
  LeadershipLostError,
  LeaseTakenError,
  ManagerStoppedError,
  MixedCommitError,
  NamespaceFlagError,
  ObjectReplacedError,
  OutOfScopeError,
  OwnNamespaceError,
  ReconcileTimeoutError,
  RenewDeadlineError,
  TerminalError,
  UnsupportedFlagError,
} from "./errors.ts";
export {
  type CoreEventBroadcasterOptions,
  createCoreEventBroadcaster,
} from "./events/core-event-broadcaster.ts";
export {
  type CoreEvent,
  CoreEvents,
  type CoreEventsOptions,
  type EventSubject,
} from "./events/core-events.ts";
export type {
  EventClient,
  EventSeries,
  EventType,
  KubeEvent,
  ObjectReference,
} from "./events/event.ts";
export { eventResource } from "./events/event.ts";
export {
  createEventBroadcaster,
  type EventBroadcaster,
  type EventBroadcasterOptions,
  type EventRecorder,
} from "./events/event-broadcaster.ts";
export type { EventOptions } from "./events/make-event.ts";
export { type Finalized, type Finalizer, finalize } from "./finalizers/finalize.ts";
export {
  hasFinalizer,
  isBeingDeleted,
  withFinalizer,
  withoutFinalizer,
} from "./finalizers/finalizers.ts";
export {
  type FeatureGate,
  type FeatureGateValues,
  featureGatesFlag,
} from "./flags/feature-gates.ts";
export { type Flag, type FlagTable, FlagValueError, type FlagValues } from "./flags/flag.ts";
export {
  addressFlag,
  booleanFlag,
  durationFlag,
  integerFlag,
  listFlag,
  stringFlag,
} from "./flags/flag-kinds.ts";
export { flagsHelp } from "./flags/flags-help.ts";
export { type FlagCheck, type ParsedFlags, parseFlags } from "./flags/parse-flags.ts";
export {
  concurrencyFlag,
  type ProviderFlagValues,
  parseProviderFlags,
  providerFlags,
} from "./flags/provider-flags.ts";
export { type HealthCheck, ping } from "./health/health-handler.ts";
export {
  createHealth,
  createHealthServer,
  type Health,
  type HealthServerOptions,
} from "./health/health-server.ts";
export { type BindAddress, parseBindAddress } from "./http-server/bind-address.ts";
export type { CertificateSource } from "./http-server/certificate-source.ts";
export { CertifiedListener } from "./http-server/certified-listener.ts";
export {
  type CertifiedServerOptions,
  createCertifiedServer,
} from "./http-server/certified-server.ts";
export type { HttpServerRunnable } from "./http-server/http-server-runnable.ts";
export { listenOn } from "./http-server/listen-on.ts";
export { defaultDurations, type LeaderElectionDurations } from "./leader-election/durations.ts";
export type { LeaderElectionMetrics } from "./leader-election/leader-election-metrics.ts";
export {
  createLeaderElector,
  type LeaderElector,
  type LeaderElectorOptions,
} from "./leader-election/leader-elector.ts";
export type { Leadership } from "./leader-election/leadership.ts";
export type {
  Lease,
  LeaseClient,
  LeaseSpec,
} from "./leader-election/lease.ts";
export { createLifecycle, type Lifecycle } from "./lifecycle/lifecycle.ts";
export type {
  LifecycleErrors,
  LifecycleScope,
  LifecycleSteps,
  Outcome,
} from "./lifecycle/steps.ts";
export { type Logger, type LogValues, silentLogger } from "./logging/logger.ts";
export { createLogger, type LoggerOptions } from "./logging/pino-logger.ts";
export type { LeaderElection } from "./manager/leader-election.ts";
export { createManager, type Manager, type ManagerOptions } from "./manager/manager.ts";
export { type Runnable, type RunnableGroup, runnableGroups } from "./manager/runnable.ts";
export { type SignalTarget, setupSignalHandler } from "./manager/signals.ts";
export { startRunnables } from "./manager/start-runnables.ts";
export {
  type ManagerManifestOptions,
  type ManagerManifests,
  type ManagerNames,
  managerManifests,
  providerNames,
} from "./manifests/manager-manifests.ts";
export {
  type ManagerMetadata,
  managerAccount,
  managerNetworkPolicy,
  managerPod,
} from "./manifests/pods.ts";
export { managerProbes } from "./manifests/probes.ts";
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
export type { Mount, WorkloadOptions } from "./manifests/workload.ts";
export { collectGarbage, collectStartGarbage } from "./memory/collect-garbage.ts";
export {
  type ApiAttempt,
  createMetrics,
  type Metrics,
  type MetricsOptions,
} from "./metrics/metrics.ts";
export { createMetricsServer, type MetricsServerOptions } from "./metrics/metrics-server.ts";
export { Counter, Gauge, Histogram } from "./metrics/own-metrics.ts";
export { createProfilerServer, type ProfilerServerOptions } from "./profiler/profiler-server.ts";
export type { ApiGroupOptions } from "./provider/group-renaming.ts";
export { createProvider, type Provider, type ProviderOptions } from "./provider/provider.ts";
export { readyWithCaches } from "./provider/ready-with-caches.ts";
export type { ProviderWebhooksOptions } from "./provider/webhooks.ts";
export type { QueueMetrics, UnfinishedWork } from "./queue/queue-metrics.ts";
export {
  createBucketRateLimiter,
  createDefaultRateLimiter,
  createExponentialRateLimiter,
  createMaxOfRateLimiter,
  type RateLimiter,
} from "./queue/rate-limiter.ts";
export {
  createWorkQueue,
  lowPriority,
  type WorkQueue,
  type WorkQueueOptions,
} from "./queue/work-queue.ts";
export {
  allNamespaces,
  isInScope,
  type NamespaceScope,
  namespaceExpression,
  watchTargetsOf,
} from "./scope/namespace-scope.ts";
export { detectOwnNamespace, type OwnNamespaceOptions } from "./scope/own-namespace.ts";
export { namespaceScopeProblems, parseNamespaceScope } from "./scope/scope-flags.ts";
export type {
  AdmissionOperation,
  AdmissionRequest,
  AdmissionResponse,
  UserInfo,
} from "./webhook/admission-review.ts";
export {
  type AdmissionContext,
  type AdmissionHandler,
  admissionWebhook,
} from "./webhook/admission-webhook.ts";
export {
  type CaBundleInjector,
  type ConvertedDefinition,
  injectIntoAll,
  injectIntoConversion,
  injectIntoWebhooks,
  type PatchingClient,
  type WebhookConfiguration,
} from "./webhook/ca-bundle-injector.ts";
export {
  type CertificateFilesOptions,
  createCertificateFiles,
} from "./webhook/certificate-files.ts";
export { CertificateSecret, type Secret, type SecretClient } from "./webhook/certificate-secret.ts";
export {
  type Conversion,
  type Converter,
  conversionWebhook,
} from "./webhook/conversion-webhook.ts";
export { type HubConversionOptions, hubConversion, type Spoke } from "./webhook/hub-conversion.ts";
export {
  createIssuedCertificate,
  type IssuedCertificateOptions,
  issuedSecretLabels,
  issuedSecretName,
} from "./webhook/issued-certificate.ts";
export { type Mutator, mutatingWebhook } from "./webhook/mutating-webhook.ts";
export {
  type JudgedKind,
  validatingConfiguration,
  type WebhookAddress,
} from "./webhook/validating-configuration.ts";
export { type Validator, validatingWebhook } from "./webhook/validating-webhook.ts";
export {
  mutatingPath,
  validatingPath,
  type Webhook,
  type WebhookEnvironment,
} from "./webhook/webhook.ts";
export type { WebhookMetrics } from "./webhook/webhook-metrics.ts";
export {
  createWebhookServer,
  type WebhookServer,
  type WebhookServerOptions,
} from "./webhook/webhook-server.ts";
