/**
 * The controller runtime. A manager runs controllers; a controller takes requests from its queue,
 * which its sources fill from events, and calls one plain function, `reconcile(request, signal)`.
 * Names and behaviour are controller-runtime's; time is injected, so that tests need not wait.
 */
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
export type { ListWatch } from "./cache/list-watch.ts";
export { byOwnerUid, type IndexFunction } from "./cache/object-index.ts";
export type { ObjectQuery, ObjectReader } from "./cache/object-store.ts";
export type { ObjectEvent, Transform } from "./cache/replica.ts";
export { withoutManagedFields } from "./cache/transforms.ts";
export { type MonotonicClock, systemClock, type Timer } from "./clock/clock.ts";
export type { MergePatch } from "./committer/changes.ts";
export {
  type Commit,
  type CommitOptions,
  type CommitterDependencies,
  createCommitter,
} from "./committer/committer.ts";
export {
  type Controller,
  type ControllerOptions,
  createController,
} from "./controller/controller.ts";
export type { ControllerMetrics, ReconcileOutcome } from "./controller/controller-metrics.ts";
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
export type { Reconcile } from "./controller/worker.ts";
export {
  AlreadyStartedError,
  CacheStoppedError,
  CacheSyncTimeoutError,
  ConditionConflictError,
  FinalizerError,
  GracePeriodExceededError,
  IndexMissingError,
  LeadershipLostError,
  ManagerStoppedError,
  MixedCommitError,
  NamespaceFlagError,
  ObjectReplacedError,
  OutOfScopeError,
  ReconcileTimeoutError,
  TerminalError,
} from "./errors.ts";
export { type Finalized, type Finalizer, finalize } from "./finalizers/finalize.ts";
export {
  hasFinalizer,
  isBeingDeleted,
  withFinalizer,
  withoutFinalizer,
} from "./finalizers/finalizers.ts";
export { type Logger, type LogValues, silentLogger } from "./logging/logger.ts";
export { createLogger, type LoggerOptions } from "./logging/pino-logger.ts";
export type { LeaderElection } from "./manager/leader-election.ts";
export { createManager, type Manager, type ManagerOptions } from "./manager/manager.ts";
export { type Runnable, type RunnableGroup, runnableGroups } from "./manager/runnable.ts";
export { type SignalTarget, setupSignalHandler } from "./manager/signals.ts";
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
export { allNamespaces, isInScope, type NamespaceScope } from "./scope/namespace-scope.ts";
export { detectOwnNamespace, type OwnNamespaceOptions } from "./scope/own-namespace.ts";
