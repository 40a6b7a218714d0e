import type { KubeObject, ObjectMeta, StatusError } from "@rookery/kube";
import type { MonotonicClock, Timer } from "../../src/clock/clock.ts";

export interface HistoryEntry {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubeObject;
  readonly revision: number;
}

/** Whether a list or watch is about an object. */
export type Interest = (metadata: ObjectMeta) => boolean;

export interface FakeWatchOptions {
  readonly write: (text: string) => void;
  readonly interest: Interest;
  readonly clock: MonotonicClock;
  /** Milliseconds after which it ends. */
  readonly timeout: number;
  readonly heartbeats: boolean;
  /** Of the server, now. */
  readonly revision: () => number;
}

const minute = 60_000;

/** One open watch of a FakeApiServer. */
export class FakeWatch {
  readonly #options: FakeWatchOptions;
  readonly #end = Promise.withResolvers<void>();
  readonly #timers: Timer[] = [];
  #open = true;

  constructor(options: FakeWatchOptions) {
    this.#options = options;
    const { clock, timeout, heartbeats } = options;
    this.#timers.push(clock.setTimer(() => this.end(), timeout));
    if (heartbeats) this.#heartbeat();
  }

  /** Settles when the watch has ended; rejects where it was cut. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  begin(objects: readonly KubeObject[]): void {
    for (const object of objects) this.tell({ type: "ADDED", object });
  }

  endInitial(): void {
    this.bookmark({ "k8s.io/initial-events-end": "true" });
  }

  tell({ type, object }: Pick<HistoryEntry, "type" | "object">): void {
    if (this.#options.interest(object.metadata)) this.#write({ type, object });
  }

  bookmark(annotations?: Readonly<Record<string, string>>): void {
    const metadata = { resourceVersion: String(this.#options.revision()), annotations };
    this.#write({ type: "BOOKMARK", object: { kind: "Nest", metadata } });
  }

  /** Says what is wrong, and ends. */
  fail({ status }: StatusError): void {
    this.#write({ type: "ERROR", object: status });
    this.end();
  }

  end(): void {
    this.#stop();
    this.#end.resolve();
  }

  cut(error: Error): void {
    this.#stop();
    this.#end.reject(error);
  }

  /** Nothing comes any more. */
  silence(): void {
    this.#stop();
  }

  #write(event: object): void {
    if (!this.#open) return;
    try {
      this.#options.write(`${JSON.stringify(event)}\n`);
    } catch (error) {
      this.cut(error as Error);
    }
  }

  #heartbeat(): void {
    const { clock } = this.#options;
    const beat = () => {
      this.bookmark();
      this.#timers.push(clock.setTimer(beat, minute));
    };
    this.#timers.push(clock.setTimer(beat, minute));
  }

  #stop(): void {
    this.#open = false;
    for (const timer of this.#timers) timer.stop();
  }
}
