import { formatObjectKey } from "@rookery/kube";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { AlreadyStartedError } from "../errors.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { RateLimiter } from "../queue/rate-limiter.ts";
import { createWorkQueue, type WorkQueue } from "../queue/work-queue.ts";
import type { ControllerMetrics } from "./controller-metrics.ts";
import type { ReportError } from "./error-reporter.ts";
import type { Request } from "./request.ts";
import type { Source } from "./source.ts";
import { startSource } from "./start-source.ts";
import { type Reconcile, runWorker, type WorkerOptions } from "./worker.ts";

export interface ControllerOptions {
  /** For logs and metrics. */
  readonly name: string;
  readonly reconcile: Reconcile;
  readonly sources?: readonly Source[];
  /** How many objects are reconciled at a time, 1 by default; never one object twice. */
  readonly maxConcurrentReconciles?: number;
  /**
   * Who shares the workers, from the outermost to the innermost, as many for each request: the
   * namespace of the object by default, where one without a namespace is by itself.
   */
  readonly fairnessKey?: (request: Request) => readonly string[];
  readonly rateLimiter?: RateLimiter;
  /** Milliseconds after which a reconcile's signal is aborted; by default there is no limit. */
  readonly reconcileTimeout?: number;
  /** Milliseconds that sources may take to sync, two minutes by default. */
  readonly cacheSyncTimeout?: number;
  /** Whether a mistake in reconcile is retried as any error, the default, or ends the controller. */
  readonly recoverPanics?: boolean;
  /** Writes into the object's conditions why its reconcile failed: see `createErrorReporter`. */
  readonly reportError?: ReportError;
  /** Whether it runs only while this process leads, the default. */
  readonly needLeaderElection?: boolean;
  readonly metrics?: ControllerMetrics;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
}

/** Reconciles the objects that its sources name, when it is run by a manager or started. */
export interface Controller extends Runnable {
  /**
   * Adds a source. Before the start it is kept for then; afterwards it is started, and the promise
   * resolves when it has synced.
   */
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
    this.#signal.addEventListener("abort", () => this.#queue.shutDown(), { once: true });
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

  /** Where it fails it ends the others, which are waited for all the same. */
  async #work(signal: AbortSignal): Promise<void> {
    try {
      await runWorker(this.#workerOptions(), signal);
    } catch (error) {
      this.#failure.abort(error);
      throw error;
    }
  }

  #workerOptions(): WorkerOptions {
    const { reconcile, metrics, reconcileTimeout, recoverPanics = true } = this.#options;
    return {
      reconcile,
      reportError: this.#options.reportError,
      metrics,
      reconcileTimeout,
      recoverPanics,
      queue: this.#queue,
      logger: this.#logger,
      clock: this.#clock,
    };
  }

  #startSource(source: Source, signal: AbortSignal): Promise<void> {
    const context = {
      controller: this.name,
      queue: this.#queue,
      logger: this.#logger,
      clock: this.#clock,
      cacheSyncTimeout: this.#options.cacheSyncTimeout ?? 120_000,
    };
    return startSource(source, context, signal);
  }
}

/** An object that is out of scope is not in the cache that a key is read from. */
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
