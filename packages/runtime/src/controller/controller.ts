import { formatObjectKey } from "@rookery/kube";
import { limitTime, onAbort, untilAborted } from "../clock/abort.ts";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { AlreadyStartedError, CacheSyncTimeoutError } from "../errors.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { RateLimiter } from "../queue/rate-limiter.ts";
import { createWorkQueue, type WorkQueue } from "../queue/work-queue.ts";
import type { ControllerMetrics } from "./controller-metrics.ts";
import type { Request } from "./request.ts";
import type { Source } from "./source.ts";
import { type Reconcile, runWorker, type WorkerOptions } from "./worker.ts";

export interface ControllerOptions {
  /** For logs and metrics. */
  readonly name: string;
  readonly reconcile: Reconcile;
  readonly sources?: readonly Source[];
  /** The number of objects that are reconciled at a time, 1 by default; never one object twice. */
  readonly maxConcurrentReconciles?: number;
  /**
   * The keys that share the workers, from the outermost to the innermost, of the same length for each request. By
   * default the namespace of the object; an object without a namespace has a key of its own.
   */
  readonly fairnessKey?: (request: Request) => readonly string[];
  readonly rateLimiter?: RateLimiter;
  /** Milliseconds after which a reconcile's signal is aborted; no limit by default. */
  readonly reconcileTimeout?: number;
  /** Milliseconds that sources may take to sync, two minutes by default. */
  readonly cacheSyncTimeout?: number;
  /** Whether a programming mistake in reconcile is retried as any error (default), or ends the controller. */
  readonly recoverPanics?: boolean;
  readonly reportError?: NonNullable<WorkerOptions["reportError"]>;
  /** Whether the controller runs only while this process leads (default). */
  readonly needLeaderElection?: boolean;
  readonly metrics?: ControllerMetrics;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
}

/** Reconciles the objects that its sources request, while a manager runs it. */
export interface Controller extends Runnable {
  /** Adds a source, which starts with the controller. After that it starts at once; resolves when it has synced. */
  watch(source: Source): Promise<void>;
}

/** Makes a controller. It runs once: `start` resolves when every reconcile has ended. */
export function createController(options: ControllerOptions): Controller {
  return new QueueController(options);
}

class QueueController implements Controller {
  readonly name: string;
  readonly group: "leaderElection" | "others";
  #options: ControllerOptions;
  #queue: WorkQueue<Request>;
  #logger: Logger;
  #clock: MonotonicClock;
  #sources: Source[];
  #signal: AbortSignal | undefined;
  #failure = new AbortController();

  constructor(options: ControllerOptions) {
    const { name, sources = [], logger = silentLogger, clock = systemClock } = options;
    this.name = name;
    this.group = (options.needLeaderElection ?? true) ? "leaderElection" : "others";
    this.#options = options;
    this.#logger = logger.withName("controller").withValues({ controller: name });
    this.#clock = clock;
    this.#sources = [...sources];
    const { fairnessKey = namespaceOf, maxConcurrentReconciles: workers = 1 } = options;
    this.#queue = createWorkQueue<Request>({
      keyOf: formatObjectKey,
      fairness: { pathOf: (request) => pathOf(request, fairnessKey), workers },
      clock,
      ...(options.rateLimiter && { rateLimiter: options.rateLimiter }),
      ...(options.metrics && { metrics: options.metrics.queue }),
    });
  }

  async watch(source: Source): Promise<void> {
    if (this.#signal === undefined) this.#sources.push(source);
    else await this.#startSource(source, this.#signal);
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined) throw new AlreadyStartedError(`controller ${this.name}`);
    this.#signal = AbortSignal.any([signal, this.#failure.signal]);
    if (signal.aborted) return;
    onAbort(this.#signal, () => this.#queue.shutDown());
    try {
      await this.#run(this.#signal);
    } catch (error) {
      this.#failure.abort(error);
      throw error;
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    const sources = this.#sources.splice(0);
    await Promise.all(sources.map((source) => this.#startSource(source, signal)));
    if (signal.aborted) return;
    const count = this.#options.maxConcurrentReconciles ?? 1;
    this.#options.metrics?.maxConcurrentReconciles(count);
    this.#logger.info("Starting workers", { workerCount: count });
    const workers = Array.from({ length: count }, () => this.#work(signal));
    for (const outcome of await Promise.allSettled(workers)) {
      if (outcome.status === "rejected") throw outcome.reason;
    }
    this.#logger.info("All workers finished");
  }

  /** A failure stops the other workers, which finish their reconciles first. */
  async #work(signal: AbortSignal): Promise<void> {
    const { reconcile, reportError, metrics, reconcileTimeout } = this.#options;
    const { recoverPanics = true } = this.#options;
    try {
      await runWorker(
        {
          reconcile,
          reportError,
          metrics,
          reconcileTimeout,
          recoverPanics,
          queue: this.#queue,
          logger: this.#logger,
          clock: this.#clock,
        },
        signal,
      );
    } catch (error) {
      this.#failure.abort(error);
      throw error;
    }
  }

  /** Starts a source and waits until it has synced, or the signal is aborted. */
  async #startSource(source: Source, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const logger = this.#logger.withValues({ source: source.name });
    logger.info("Starting EventSource");
    const { cacheSyncTimeout: milliseconds = 120_000 } = this.#options;
    using limit = limitTime(signal, {
      clock: this.#clock,
      milliseconds,
      reason: () => new CacheSyncTimeoutError(this.name, source.name, milliseconds),
    });
    const sync = async () => {
      await source.start(this.#queue, signal, logger);
      await source.waitForSync?.(limit.signal);
    };
    try {
      await untilAborted(sync(), limit.signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** The cache rejects reads of objects that are out of its scope. */
function pathOf(request: Request, fairnessKey: (request: Request) => readonly string[]) {
  try {
    return fairnessKey(request);
  } catch {
    return namespaceOf(request);
  }
}

function namespaceOf({ namespace, name }: Request): readonly string[] {
  return [namespace ?? `/${name}`];
}
