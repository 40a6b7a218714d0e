import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { CircuitOpenError } from "../errors.ts";

interface CircuitBreakersOptions {
  /** Whether an error shows that the server fails, and not that it refuses a request. */
  readonly isFailure: (error: unknown) => boolean;
  /** The number of failures in a row that open a circuit; 3 by default. */
  readonly failuresAllowed?: number;
  /** The first time that a circuit stays open, in milliseconds, doubled with each failure; 15 s by default. */
  readonly shortestMs?: number;
  /** The longest time; 5 min by default. */
  readonly longestMs?: number;
  readonly clock?: MonotonicClock;
}

const mostCircuits = 10_000;

interface Circuit {
  failures: number;
  /** Calls fail until this time; 0 while the circuit is closed. */
  openUntil: number;
  /** The same time for messages. It stays while the circuit is open, so that a condition does not change. */
  retryAt: Date;
  /** The last error. */
  cause: unknown;
  pauseMs: number;
  /** Whether a call tests the server. */
  isProbing: boolean;
}

/**
 * Protects callers from servers that fail repeatedly: after some failures in a row all calls of a key fail at once, for
 * a time that grows. Then one call tests the server, and the others fail until it has succeeded. Callers share a circuit
 * by its key: a caller that can make calls of a key fail blocks all others of the key.
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

  /** The number of circuits with failures. */
  get size(): number {
    return this.#circuits.size;
  }

  /** Errors: CircuitOpenError while the circuit is open; errors of the work. */
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

  /** Returns whether the caller tests the server. */
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
    // Calls that started before the circuit opened do not count.
    if (circuit.failures < this.#failuresAllowed || (isOpen && !isProbe)) return circuit;
    circuit.pauseMs = Math.min(this.#longestMs, Math.max(this.#shortestMs, 2 * circuit.pauseMs));
    circuit.openUntil = now + circuit.pauseMs;
    circuit.retryAt = new Date(Date.now() + circuit.pauseMs);
    return circuit;
  }

  /** Circuits without calls would stay forever. */
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
