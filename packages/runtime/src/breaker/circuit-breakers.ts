import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { CircuitOpenError } from "../errors.ts";

export interface CircuitBreakersOptions {
  /** Whether an error says that the server fails, rather than that it refuses what is asked. */
  readonly isFailure: (error: unknown) => boolean;
  /** How many failures one after another open a circuit; 3. */
  readonly failuresAllowed?: number;
  /** How long a circuit stays open at first, in milliseconds; 15 s. It doubles with each failure. */
  readonly shortestMs?: number;
  /** How long it stays open at most; 5 min. */
  readonly longestMs?: number;
  readonly clock?: MonotonicClock;
}

const mostCircuits = 10_000;

interface Circuit {
  failures: number;
  /** Until when nothing is tried; 0 while it is closed. */
  openUntil: number;
  /** The same for people; it stays while the circuit is open, so that a condition does. */
  retryAt: Date;
  /** How it failed last. */
  cause: unknown;
  pauseMs: number;
  /** Somebody finds out whether the server is back. */
  isProbing: boolean;
}

/**
 * Keeps work from servers that fail again and again: after some failures in a row whatever is asked
 * of a server fails at once, for a pause that grows. Then one caller tries, and the others go on
 * failing until it has succeeded. Circuits are apart by key: whoever can make calls of a key fail
 * keeps all who share it from the server.
 */
export class CircuitBreakers {
  readonly #isFailure: (error: unknown) => boolean;
  readonly #failuresAllowed: number;
  readonly #shortestMs: number;
  readonly #longestMs: number;
  readonly #clock: MonotonicClock;
  readonly #circuits = new Map<string, Circuit>();

  constructor(options: CircuitBreakersOptions) {
    this.#isFailure = options.isFailure;
    this.#failuresAllowed = options.failuresAllowed ?? 3;
    this.#shortestMs = options.shortestMs ?? 15_000;
    this.#longestMs = options.longestMs ?? 5 * 60_000;
    this.#clock = options.clock ?? systemClock;
  }

  /** How many servers have failed lately. */
  get size(): number {
    return this.#circuits.size;
  }

  /** Errors: CircuitOpenError where it is not tried; what the work throws. */
  async run<Result>(key: string, server: string, work: () => Promise<Result>): Promise<Result> {
    const circuit = this.#circuits.get(key);
    const isProbe = circuit !== undefined && this.#enter(circuit, server);
    try {
      const result = await work();
      this.#circuits.delete(key);
      return result;
    } catch (error) {
      if (this.#isFailure(error)) this.#fail(key, isProbe).cause = error;
      throw error;
    } finally {
      if (isProbe) circuit.isProbing = false;
    }
  }

  /** Whether the caller is the one who finds out. */
  #enter(circuit: Circuit, server: string): boolean {
    if (circuit.openUntil === 0) return false;
    const remaining = circuit.openUntil - this.#clock.now();
    const { failures, retryAt, isProbing, cause } = circuit;
    if (remaining > 0 || isProbing) {
      const afterMs = isProbing ? this.#shortestMs : remaining;
      throw new CircuitOpenError(server, failures, { afterMs, at: retryAt, cause });
    }
    circuit.isProbing = true;
    return true;
  }

  #fail(key: string, isProbe: boolean): Circuit {
    this.#prune();
    const known = this.#circuits.get(key);
    const circuit = known ?? newCircuit();
    this.#circuits.set(key, circuit);
    circuit.failures += 1;
    const now = this.#clock.now();
    const isOpen = circuit.openUntil > now;
    // Those that were on their way when it opened say nothing new.
    if (circuit.failures < this.#failuresAllowed || (isOpen && !isProbe)) return circuit;
    circuit.pauseMs = Math.min(this.#longestMs, Math.max(this.#shortestMs, 2 * circuit.pauseMs));
    circuit.openUntil = now + circuit.pauseMs;
    circuit.retryAt = new Date(Date.now() + circuit.pauseMs);
    return circuit;
  }

  /** Nobody has asked for those any more: they would stay for ever. */
  #prune(): void {
    if (this.#circuits.size < mostCircuits) return;
    const [oldest] = this.#circuits.keys();
    if (oldest !== undefined) this.#circuits.delete(oldest);
  }
}

function newCircuit(): Circuit {
  return {
    failures: 0,
    openUntil: 0,
    retryAt: new Date(0),
    cause: undefined,
    pauseMs: 0,
    isProbing: false,
  };
}
