import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { formatObjectKey } from "@rookery/kube";
import { limitTime } from "../clock/abort.ts";
import type { MonotonicClock } from "../clock/clock.ts";
import { ReconcileTimeoutError, TerminalError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { ControllerMetrics } from "./controller-metrics.ts";
import type { Request } from "./request.ts";
import type { Result } from "./result.ts";

/**
 * Brings one object to its desired state, from any state. The signal is aborted when the process stops or the time
 * limit is exceeded; the logger adds the request to every line. Errors are retried with back-off, except a
 * TerminalError.
 */
export type Reconcile = (
  request: Request,
  signal: AbortSignal,
  logger: Logger,
) => Result | Promise<Result>;

/** A reconcile that threw. */
export interface FailedReconcile {
  readonly request: Request;
  readonly error: unknown;
  /** The number of failures in a row, from 1. */
  readonly attempt: number;
  /** Not the signal of the reconcile, which may have timed out. */
  readonly signal: AbortSignal;
}

export interface WorkerOptions {
  readonly reconcile: Reconcile;
  readonly queue: WorkQueue<Request>;
  readonly logger: Logger;
  readonly clock: MonotonicClock;
  readonly metrics: ControllerMetrics | undefined;
  /** In milliseconds; no limit if undefined. */
  readonly reconcileTimeout: number | undefined;
  readonly recoverPanics: boolean;
  /** Writes the error of a reconcile into the conditions of its object. */
  readonly reportError: ((failed: FailedReconcile) => Promise<void>) | undefined;
}

// Reconciles that never wait for I/O must not delay leases and probes.
const longestTurn = 10;

/** Reconciles requests until the queue is shut down. Rejects only on a panic that is not recovered. */
export async function runWorker(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { queue, clock, metrics } = options;
  let turnStarted = clock.now();
  for (let request = await queue.get(); request; request = await queue.get()) {
    metrics?.activeWorkers(1);
    try {
      await new Attempt(request, options, signal).run();
    } finally {
      queue.done(request);
      metrics?.activeWorkers(-1);
    }
    if (clock.now() - turnStarted < longestTurn) continue;
    await setImmediate();
    turnStarted = clock.now();
  }
}

/** One call of reconcile, and its consequences. */
class Attempt {
  #request: Request;
  #options: WorkerOptions;
  #shutdown: AbortSignal;
  #signal: AbortSignal;
  #logger: Logger;

  constructor(request: Request, options: WorkerOptions, shutdown: AbortSignal) {
    this.#request = request;
    this.#options = options;
    this.#shutdown = shutdown;
    this.#signal = shutdown;
    this.#logger = options.logger.withValues({ ...request, reconcileID: randomUUID() });
  }

  async run(): Promise<void> {
    const { clock, metrics } = this.#options;
    const started = clock.now();
    try {
      this.#settle(await this.#reconcile());
    } catch (error) {
      await this.#report(error);
      this.#fail(error);
    } finally {
      metrics?.reconcileTime((clock.now() - started) / 1000);
    }
  }

  async #reconcile(): Promise<Result> {
    const { clock, metrics, reconcile, reconcileTimeout } = this.#options;
    using limit = limitTime(this.#shutdown, {
      clock,
      milliseconds: reconcileTimeout,
      reason: () => {
        metrics?.reconcileTimeouts();
        return new ReconcileTimeoutError(formatObjectKey(this.#request), reconcileTimeout ?? 0);
      },
    });
    this.#signal = limit.signal;
    this.#logger.debug("Reconciling");
    return await reconcile(this.#request, limit.signal, this.#logger);
  }

  #settle(result: Result): void {
    const { queue, metrics } = this.#options;
    switch (result.kind) {
      case "done":
        queue.forget(this.#request);
        metrics?.reconcileTotal("success");
        this.#logger.debug("Reconcile successful");
        break;
      case "requeueAfter":
        queue.forget(this.#request);
        queue.addAfter(this.#request, result.seconds * 1000);
        metrics?.reconcileTotal("requeue_after");
        this.#logger.debug("Reconcile done, requeueing", { afterSeconds: result.seconds });
        break;
      case "requeue":
        queue.addRateLimited(this.#request);
        metrics?.reconcileTotal("requeue");
        this.#logger.debug("Reconcile done, requeueing with back-off");
        break;
      case "stop":
        this.#giveUp();
        this.#logger.info("Reconcile stopped", { reason: result.reason });
    }
  }

  /** Reports the error before the retry, so that a reconcile that succeeds replaces the report. */
  async #report(error: unknown): Promise<void> {
    const { reportError, queue } = this.#options;
    if (!reportError || this.#shutdown.aborted) return;
    const { reason } = this.#signal;
    const cause = reason instanceof ReconcileTimeoutError ? reason : error;
    const attempt = queue.numRequeues(this.#request) + 1;
    try {
      await reportError({ request: this.#request, error: cause, attempt, signal: this.#shutdown });
    } catch (failure) {
      if (this.#shutdown.aborted) return;
      this.#logger.error(failure, "Could not report the error in the conditions of the object");
    }
  }

  #fail(error: unknown): void {
    const { queue, metrics, recoverPanics } = this.#options;
    if (this.#shutdown.aborted) {
      // The next process starts the reconcile again.
      this.#logger.debug("Reconcile interrupted", { error });
      return;
    }
    if (isPanic(error)) {
      metrics?.reconcilePanics();
      if (!recoverPanics) throw error;
    }
    this.#logger.error(error, "Reconciler error");
    if (isTerminal(error)) this.#giveUp();
    else {
      queue.addRateLimited(this.#request);
      this.#countError();
    }
  }

  #giveUp(): void {
    this.#options.queue.forget(this.#request);
    this.#options.metrics?.terminalReconcileErrors();
    this.#countError();
  }

  #countError(): void {
    this.#options.metrics?.reconcileErrors();
    this.#options.metrics?.reconcileTotal("error");
  }
}

/** Whether the error, or one of its causes, is a TerminalError. */
function isTerminal(error: unknown): boolean {
  for (let next = error; next instanceof Error; next = next.cause) {
    if (next instanceof TerminalError) return true;
  }
  return false;
}

/** Whether only a programming mistake throws such an error. */
function isPanic(error: unknown): boolean {
  return (
    !(error instanceof Error) ||
    error instanceof TypeError ||
    error instanceof ReferenceError ||
    error instanceof RangeError
  );
}
