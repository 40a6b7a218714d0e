import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { formatObjectKey } from "@rookery/kube";
import type { MonotonicClock } from "../clock/clock.ts";
import { ReconcileTimeoutError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { ControllerMetrics } from "./controller-metrics.ts";
import type { ReportError } from "./error-reporter.ts";
import { isPanic, isTerminal } from "./failures.ts";
import type { Request } from "./request.ts";
import type { Result } from "./result.ts";

/**
 * Makes one object as it should be, from whatever state it is in. The signal is aborted when the
 * process stops or the time is up; the logger adds the request to every line. What is thrown is
 * retried with back-off, except a TerminalError.
 */
export type Reconcile = (
  request: Request,
  signal: AbortSignal,
  logger: Logger,
) => Result | Promise<Result>;

export interface WorkerOptions {
  readonly reconcile: Reconcile;
  readonly queue: WorkQueue<Request>;
  readonly logger: Logger;
  readonly clock: MonotonicClock;
  readonly metrics: ControllerMetrics | undefined;
  /** Milliseconds; none where there is no limit. */
  readonly reconcileTimeout: number | undefined;
  readonly recoverPanics: boolean;
  readonly reportError: ReportError | undefined;
}

// Reconciles that never wait for I/O must not keep leases and probes from being served.
const longestTurn = 10;

/** Works until the queue is shut down. Rejects only on a panic that is not recovered. */
export async function runWorker(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { queue, clock, metrics } = options;
  let turnBegan = clock.now();
  for (let request = await queue.get(); request; request = await queue.get()) {
    metrics?.activeWorkers(1);
    try {
      await new Attempt(request, options, signal).run();
    } finally {
      queue.done(request);
      metrics?.activeWorkers(-1);
    }
    if (clock.now() - turnBegan < longestTurn) continue;
    await setImmediate();
    turnBegan = clock.now();
  }
}

/** One call of reconcile, and what follows from it. */
class Attempt {
  #request: Request;
  #options: WorkerOptions;
  #shutdown: AbortSignal;
  #abort = new AbortController();
  #logger: Logger;

  constructor(request: Request, options: WorkerOptions, shutdown: AbortSignal) {
    this.#request = request;
    this.#options = options;
    this.#shutdown = shutdown;
    this.#logger = options.logger.withValues({ ...request, reconcileID: randomUUID() });
  }

  async run(): Promise<void> {
    const { clock, metrics } = this.#options;
    const began = clock.now();
    try {
      this.#settle(await this.#reconcile());
    } catch (error) {
      await this.#report(error);
      this.#fail(error);
    } finally {
      metrics?.reconcileTime((clock.now() - began) / 1000);
    }
  }

  async #reconcile(): Promise<Result> {
    using _ = this.#limit();
    this.#logger.debug("Reconciling");
    return await this.#options.reconcile(this.#request, this.#abort.signal, this.#logger);
  }

  /** Aborts the signal on a shutdown and when the time is up. */
  #limit(): Disposable {
    const { clock, metrics, reconcileTimeout } = this.#options;
    const shutDown = () => this.#abort.abort(this.#shutdown.reason);
    if (this.#shutdown.aborted) shutDown();
    this.#shutdown.addEventListener("abort", shutDown, { once: true });
    const timer =
      reconcileTimeout === undefined
        ? undefined
        : clock.setTimer(() => {
            metrics?.reconcileTimeouts();
            const request = formatObjectKey(this.#request);
            this.#abort.abort(new ReconcileTimeoutError(request, reconcileTimeout));
          }, reconcileTimeout);
    return {
      [Symbol.dispose]: () => {
        timer?.stop();
        this.#shutdown.removeEventListener("abort", shutDown);
      },
    };
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

  /** Before it is tried again: a reconcile that succeeds says so after this. */
  async #report(error: unknown): Promise<void> {
    const { reportError, queue } = this.#options;
    if (!reportError || this.#shutdown.aborted) return;
    const request = this.#request;
    const { reason } = this.#abort.signal;
    const cause = reason instanceof ReconcileTimeoutError ? reason : error;
    const attempt = queue.numRequeues(request) + 1;
    try {
      await reportError({ request, error: cause, attempt, signal: this.#shutdown });
    } catch (failure) {
      if (this.#shutdown.aborted) return;
      this.#logger.error(failure, "Could not report the error in the conditions of the object");
    }
  }

  #fail(error: unknown): void {
    const { queue, metrics, recoverPanics } = this.#options;
    if (this.#shutdown.aborted) {
      // What a shutdown interrupts is no fault: the next process does it from the beginning.
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
