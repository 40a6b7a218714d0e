import type { Client } from "@rookery/client";
import { type Clock, formatTime, isNotFound, type KubeObject } from "@rookery/kube";
import type { Logger } from "@rookery/runtime";
import { resources } from "../controllers/resources.ts";
import type { BoundPod } from "./pod.ts";

export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

export interface NodeEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

interface WrittenEvent {
  readonly name: string;
  readonly namespace: string;
  readonly firstMs: number;
  count: number;
}

interface Allowance {
  tokens: number;
  filledMs: number;
}

/** As client-go: so many events of one object at once, then one each five minutes. */
const burst = 25;
const refillMs = 300_000;
/** What is said again after this time is told anew. */
const similarMs = 600_000;
const mostKnown = 4096;

export interface NodeEventsOptions {
  readonly client: Client;
  readonly node: string;
  readonly now: Clock;
  readonly logger: Logger;
}

/** Writes events as a kubelet does: core/v1, what is said again is counted. Never fails anyone. */
export class NodeEvents {
  readonly #options: NodeEventsOptions;
  readonly #written = new Map<string, WrittenEvent>();
  readonly #allowances = new Map<string, Allowance>();
  readonly #queues = new Map<string, Promise<void>>();
  #serial = 0;

  constructor(options: NodeEventsOptions) {
    this.#options = options;
  }

  record(subject: EventSubject, event: NodeEvent): void {
    if (!this.#mayTell(subject.uid)) return;
    // In order for each object; those of others need not wait.
    const before = this.#queues.get(subject.uid) ?? Promise.resolve();
    const written = before
      .then(() => this.#write(subject, event))
      .catch((error: unknown) => {
        this.#options.logger.error(error, "Could not write event", { reason: event.reason });
      })
      .finally(() => {
        if (this.#queues.get(subject.uid) === written) this.#queues.delete(subject.uid);
      });
    this.#queues.set(subject.uid, written);
  }

  /** Resolves when all that was told is written, or could not be. */
  async flush(): Promise<void> {
    await Promise.all(this.#queues.values());
  }

  async #write(subject: EventSubject, event: NodeEvent): Promise<void> {
    const key = JSON.stringify([subject.uid, subject.fieldPath, event]);
    const known = this.#written.get(key);
    const now = this.#options.now();
    if (known && now.getTime() - known.firstMs < similarMs && (await this.#count(known, now)))
      return;
    const { namespace = "default" } = subject;
    const name = this.#nameOf(subject, now);
    if (this.#written.size > mostKnown) this.#written.clear();
    this.#written.set(key, { name, namespace, firstMs: now.getTime(), count: 1 });
    await this.#create(subject, event, { name, namespace, time: formatTime(now) });
  }

  async #create(
    subject: EventSubject,
    event: NodeEvent,
    { name, namespace, time }: Record<"name" | "namespace" | "time", string>,
  ): Promise<void> {
    const { client, node } = this.#options;
    const object: KubeObject & Record<string, unknown> = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace },
      involvedObject: subject,
      ...event,
      message: event.message.slice(0, 1024),
      source: { component: "kubelet", host: node },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      reportingComponent: "kubelet",
      reportingInstance: node,
    };
    await client.resource(resources.events).create(object);
  }

  async #count(known: WrittenEvent, now: Date): Promise<boolean> {
    const { name, namespace } = known;
    const patch = { count: known.count + 1, lastTimestamp: formatTime(now) };
    try {
      const events = this.#options.client.resource(resources.events);
      await events.patch({ name, namespace }, { type: "merge", patch });
      known.count += 1;
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  #nameOf(subject: EventSubject, now: Date): string {
    this.#serial += 1;
    const nanoseconds = BigInt(now.getTime()) * 1_000_000n + BigInt(this.#serial % 1_000_000);
    return `${subject.name}.${nanoseconds.toString(16)}`;
  }

  #mayTell(uid: string): boolean {
    const now = this.#options.now().getTime();
    if (this.#allowances.size > mostKnown) this.#allowances.clear();
    const allowance = this.#allowances.get(uid) ?? { tokens: burst, filledMs: now };
    const refilled = allowance.tokens + (now - allowance.filledMs) / refillMs;
    const tokens = Math.min(burst, refilled);
    const may = tokens >= 1;
    this.#allowances.set(uid, { tokens: may ? tokens - 1 : tokens, filledMs: now });
    return may;
  }
}

/** The pod, or one container of it, as events name it. */
export function podSubject({ metadata }: BoundPod, fieldPath?: string): EventSubject {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = metadata;
  const about = { apiVersion: "v1", kind: "Pod", name, namespace, uid, resourceVersion };
  return fieldPath === undefined ? about : { ...about, fieldPath };
}
