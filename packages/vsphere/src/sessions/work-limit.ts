import { limitTime, type MonotonicClock, untilAborted } from "@rookery/runtime";
import { VCenterTimeoutError } from "../errors.ts";
import type { AnswerBudget, Call } from "../vim/soap.ts";
import type { OpenSession, Session } from "./session.ts";

export interface WorkLimitOptions {
  readonly server: string;
  /** The limit of all calls together, in milliseconds. */
  readonly milliseconds: number;
  readonly clock: MonotonicClock;
  /** Aborted when no caller waits any more. */
  readonly signal: AbortSignal;
}

/** The bytes of all answers of one reconcile's work; a machine reads less than a hundredth. */
const mostBytes = 32 * 1024 * 1024;

/** The limits of one reconcile's work on a vCenter, however many calls it makes. */
export class WorkLimit implements Disposable {
  readonly #limit: ReturnType<typeof limitTime>;
  readonly #budget: AnswerBudget = { bytes: mostBytes };

  constructor({ server, milliseconds, clock, signal }: WorkLimitOptions) {
    const reason = () => new VCenterTimeoutError(server, milliseconds);
    this.#limit = limitTime(signal, { clock, milliseconds, reason });
  }

  /** Waits for work that is shared with others, and continues for them. */
  wait<Result>(work: Promise<Result>): Promise<Result> {
    return untilAborted(work, this.#limit.signal);
  }

  /** The session with these limits; its watches continue. */
  bind(session: OpenSession): Session {
    const { vcenter, stream, rest } = session;
    const { signal } = this.#limit;
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
    this.#limit[Symbol.dispose]();
  }
}
