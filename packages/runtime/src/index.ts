/**
 * The controller runtime. A manager runs controllers; a controller takes requests from its queue,
 * which its sources fill from events, and calls one plain function, `reconcile(request, signal)`.
 * Names and behaviour are controller-runtime's; time is injected, so that tests need not wait.
 */
export { type MonotonicClock, systemClock, type Timer } from "./clock/clock.ts";
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
