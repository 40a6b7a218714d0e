import type { MonotonicClock } from "@rookery/runtime";
import { VCenterTimeoutError } from "../errors.ts";
import type { AnswerBudget, Call } from "../vim/soap.ts";
import type { OpenSession, Session } from "./session.ts";

export interface WorkLimitOptions {
  readonly server: string;
  /** For all calls together, in milliseconds. */
  readonly milliseconds: number;
  readonly clock: MonotonicClock;
  /** Aborted when no caller waits any more. */
  readonly signal: AbortSignal;
}

/** The bytes of all answers of one reconcile's work; a machine reads less than a hundredth. */
const mostBytes = 32 * 1024 * 1024;

/** The limits of one reconcile's work on a vCenter, however many calls it makes. */
export class WorkLimit implements Disposable {
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  readonly #stop: () => void;
  readonly #budget: AnswerBudget = { bytes: mostBytes };

  constructor({ server, milliseconds, clock, signal }: WorkLimitOptions) {
    this.#signal = signal;
    const timer = clock.setTimer(() => {
      this.#over.abort(new VCenterTimeoutError(server, milliseconds));
    }, milliseconds);
    this.#stop = () => timer.stop();
    signal.addEventListener("abort", this.#onAbort);
    if (signal.aborted) this.#onAbort();
  }

  /** Waits for what goes on for others as well. */
  async wait<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this.#over;
    // The work may fail when no caller waits for it any more.
    work.catch(() => {});
    signal.throwIfAborted();
    const over = Promise.withResolvers<never>();
    const onOver = () => over.reject(signal.reason);
    signal.addEventListener("abort", onOver);
    try {
      return await Promise.race([work, over.promise]);
    } finally {
      signal.removeEventListener("abort", onOver);
    }
  }

  /** The session for this work alone; what it watches goes on. */
  bind(session: OpenSession): Session {
    const { vcenter, stream, rest } = session;
    const { signal } = this.#over;
    const limited = (call: Call): Call => ({
      ...call,
      budget: this.#budget,
      signal: call.signal ? AbortSignal.any([call.signal, signal]) : signal,
    });
    const call = (one: Call) => vcenter.call(limited(one));
    const callForList = (one: Call) => vcenter.callForList(limited(one));
    return { vcenter: { ...vcenter, call, callForList }, stream, rest: rest.within(signal) };
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => this.#over.abort(this.#signal.reason);
}
