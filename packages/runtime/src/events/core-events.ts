import type { Client } from "@rookery/client";
import {
  builtInResources,
  type Clock,
  formatTime,
  isNotFound,
  type KubeObject,
} from "@rookery/kube";
import type { Logger } from "../logging/logger.ts";

export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

export interface CoreEvent {
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

interface Similar {
  readonly messages: Set<string>;
  lastMs: number;
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
/** The tenth of those that differ in their message alone is the first that stands for all to come. */
const mostSimilar = 10;
const combined = "(combined from similar events): ";
const mostKnown = 4096;
const longestMessage = 1024;

export interface CoreEventsOptions {
  readonly client: Client;
  /** Who tells: a controller, or a kubelet with its node as the host. */
  readonly source: { readonly component: string; readonly host?: string };
  readonly now: Clock;
  readonly logger: Logger;
}

/**
 * Writes events in the older form, of core/v1, as kubelets and kube-controller-manager do: what is
 * said again is counted, and of what is said in too many ways the latest is shown. Never fails anyone.
 */
export class CoreEvents {
  readonly #options: CoreEventsOptions;
  readonly #written = new Map<string, WrittenEvent>();
  readonly #similar = new Map<string, Similar>();
  readonly #allowances = new Map<string, Allowance>();
  readonly #queues = new Map<string, Promise<void>>();
  #serial = 0;

  constructor(options: CoreEventsOptions) {
    this.#options = options;
  }

  record(subject: EventSubject, event: CoreEvent): void {
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

  async #write(subject: EventSubject, told: CoreEvent): Promise<void> {
    const now = this.#options.now();
    const { key, event } = this.#combine(subject, told, now.getTime());
    const known = this.#written.get(key);
    const isKnown = known && now.getTime() - known.firstMs < similarMs;
    if (isKnown && (await this.#count(known, event.message, now))) return;
    const { namespace = "default" } = subject;
    const name = this.#nameOf(subject, now);
    if (this.#written.size > mostKnown) this.#written.clear();
    this.#written.set(key, { name, namespace, firstMs: now.getTime(), count: 1 });
    await this.#create(subject, event, { name, namespace, time: formatTime(now) });
  }

  /** The event as it is written, and the key under which it is counted. */
  #combine(subject: EventSubject, event: CoreEvent, nowMs: number) {
    const { type, reason, message } = event;
    const key = JSON.stringify([subject.uid, subject.fieldPath, type, reason]);
    if (this.#similar.size > mostKnown) this.#similar.clear();
    const known = this.#similar.get(key);
    const isLate = known === undefined || nowMs - known.lastMs > similarMs;
    const similar = isLate ? { messages: new Set<string>(), lastMs: nowMs } : known;
    similar.lastMs = nowMs;
    this.#similar.set(key, similar);
    if (similar.messages.size < mostSimilar - 1) similar.messages.add(message);
    if (similar.messages.has(message)) return { key: key + message, event };
    return { key, event: { ...event, message: combined + message } };
  }

  async #create(
    subject: EventSubject,
    event: CoreEvent,
    { name, namespace, time }: Record<"name" | "namespace" | "time", string>,
  ): Promise<void> {
    const { client, source } = this.#options;
    const object: KubeObject & Record<string, unknown> = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace },
      involvedObject: subject,
      ...event,
      message: event.message.slice(0, longestMessage),
      source,
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      reportingComponent: source.component,
      reportingInstance: source.host ?? "",
    };
    await client.resource(builtInResources.events).create(object);
  }

  async #count(known: WrittenEvent, told: string, now: Date): Promise<boolean> {
    const { name, namespace } = known;
    const message = told.slice(0, longestMessage);
    const patch = { count: known.count + 1, lastTimestamp: formatTime(now), message };
    try {
      const events = this.#options.client.resource(builtInResources.events);
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
