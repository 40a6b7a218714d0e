import type { Client } from "@rookery/client";
import {
  builtInResources,
  type Clock,
  formatTime,
  isNotFound,
  type KubeObject,
} from "@rookery/kube";
import { aborted } from "../clock/abort.ts";
import type { Logger } from "../logging/logger.ts";
import type { ObjectReference } from "./event.ts";
import type { EventBroadcaster } from "./event-broadcaster.ts";
import { EventRateLimit, LruMap, SimilarEvents } from "./event-limits.ts";
import { eventName, referenceTo } from "./make-event.ts";

export type EventSubject = ObjectReference & { readonly name: string; readonly uid: string };

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

/** A repeated event within this time increases the count of the first one. */
const seriesMs = 600_000;
const longestMessage = 1024;

interface CoreEventsOptions {
  readonly client: Client;
  /** A controller, or a kubelet with its node as the host. */
  readonly source: { readonly component: string; readonly host?: string };
  readonly now: Clock;
  readonly logger: Logger;
}

/**
 * Writes events of core/v1, as kubelets and kube-controller-manager do: repeated events are counted, and many similar
 * events are combined. An event that cannot be written is logged.
 */
export class CoreEvents {
  readonly #options: CoreEventsOptions;
  readonly #written = new LruMap<WrittenEvent>();
  readonly #similar: SimilarEvents;
  readonly #rateLimit: EventRateLimit;
  /** By object: the end of the last write. */
  readonly #writes = new Map<string, Promise<void>>();
  #serial = 0;

  constructor(options: CoreEventsOptions) {
    const nowMs = () => options.now().getTime();
    this.#options = options;
    this.#similar = new SimilarEvents(nowMs);
    this.#rateLimit = new EventRateLimit(nowMs);
  }

  /** Writes an event in the background. The events of one object are written in order. */
  record(subject: EventSubject, event: CoreEvent): void {
    const { uid } = subject;
    if (!this.#rateLimit.admit(uid)) return;
    const before = this.#writes.get(uid) ?? Promise.resolve();
    const written = before
      .then(() => this.#write(subject, event))
      .catch((error: unknown) => {
        this.#options.logger.error(error, "Could not write event", { reason: event.reason });
      })
      .finally(() => {
        if (this.#writes.get(uid) === written) this.#writes.delete(uid);
      });
    this.#writes.set(uid, written);
  }

  /** Resolves when all recorded events were written, or failed. */
  async flush(): Promise<void> {
    await Promise.all(this.#writes.values());
  }

  async #write(subject: EventSubject, { type, reason, message }: CoreEvent): Promise<void> {
    const now = this.#options.now();
    const kindKey = JSON.stringify([subject.uid, subject.fieldPath, type, reason]);
    const { key, text } = this.#similar.combine(kindKey, message);
    const event = { type, reason, message: text.slice(0, longestMessage) };
    const known = this.#written.peek(key);
    const isKnown = known && now.getTime() - known.firstMs < seriesMs;
    if (isKnown && (await this.#count(known, event.message, now))) return;
    const { namespace = "default" } = subject;
    this.#serial += 1;
    const name = eventName(subject.name, now, this.#serial);
    this.#written.set(key, { name, namespace, firstMs: now.getTime(), count: 1 });
    await this.#create(subject, event, { name, namespace, time: formatTime(now) });
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
      source,
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      reportingComponent: source.component,
      reportingInstance: source.host ?? "",
    };
    await client.resource(builtInResources.events).create(object);
  }

  /** Increases the count of a written event. Returns false if the event is gone. */
  async #count(known: WrittenEvent, message: string, now: Date): Promise<boolean> {
    const { name, namespace } = known;
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
}

/** Writes events of core/v1, as kube-controller-manager does. The caller has to start it. */
export function createCoreEventBroadcaster({
  client,
  logger,
  now,
}: Omit<CoreEventsOptions, "source">): EventBroadcaster {
  const all = new Map<string, CoreEvents>();
  return {
    name: "events of controllers",
    group: "httpServers",
    recorder(component) {
      const events =
        all.get(component) ?? new CoreEvents({ client, logger, now, source: { component } });
      all.set(component, events);
      return {
        event(regarding, { type, reason, note }) {
          const subject = { name: "", uid: "", ...referenceTo(regarding) };
          events.record(subject, { type, reason, message: note });
        },
      };
    },
    async start(signal) {
      await aborted(signal);
      await Promise.all([...all.values()].map((events) => events.flush()));
    },
  };
}
