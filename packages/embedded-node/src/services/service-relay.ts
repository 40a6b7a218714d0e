import type { Service } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { Clock, StoreReader } from "@rookery/kube";
import { storedObject } from "@rookery/kube";
import type { EventRecorder, Logger, Runnable } from "@rookery/runtime";
import { createEventBroadcaster, eventResource, type KubeEvent } from "@rookery/runtime";
import { ReadyEndpoints } from "./ready-endpoints.ts";
import { listenersOf, type RelayAddress } from "./relay-addresses.ts";
import { RelayListener } from "./relay-listener.ts";

export interface ServiceRelayOptions {
  readonly store: StoreReader;
  /** Writes the events of the relay. */
  readonly client: Client;
  readonly now: Clock;
  readonly logger: Logger;
}

/**
 * Listens at the loopback addresses of Services and relays connections to ready endpoints. Without
 * ready endpoints, connections are reset.
 */
export function createServiceRelay(context: ServiceRelayOptions): Runnable {
  return {
    name: "service-relay",
    async start(signal) {
      const { client, logger, now } = context;
      const events = client.resource<KubeEvent>(eventResource);
      const broadcaster = createEventBroadcaster({ events, logger, wallClock: now });
      const recording = broadcaster.start(signal);
      const relay = new ServiceRelay(context, broadcaster.recorder("rookery.dev/service-relay"));
      const { store } = context;
      const subscription = store.watch("services", store.revision, (event) => {
        const entry = event.entry ?? event.previous;
        if (entry) relay.reconcile(entry);
      });
      for (const entry of store.list("services").entries) relay.reconcile(entry);
      await aborted(signal);
      subscription.close();
      await relay.end();
      await recording;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** After which a port is tried again that another process had. */
const retryMs = 15_000;

interface Place {
  readonly namespace: string;
  readonly name: string;
}

class ServiceRelay {
  readonly #context: ServiceRelayOptions;
  readonly #recorder: EventRecorder;
  readonly #endpoints: ReadyEndpoints;
  /** By Service, then by address. */
  readonly #listeners = new Map<string, Map<string, RelayListener>>();
  /** One change after the other: an address may be given up by one Service for another. */
  #turn: Promise<void> = Promise.resolve();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(context: ServiceRelayOptions, recorder: EventRecorder) {
    this.#context = context;
    this.#recorder = recorder;
    this.#endpoints = new ReadyEndpoints(context.store);
  }

  reconcile({ namespace, name }: Place): void {
    this.#turn = this.#turn.then(() => this.#update({ namespace, name }));
  }

  async end(): Promise<void> {
    await this.#turn;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    const all = [...this.#listeners.values()].flatMap((listeners) => [...listeners.values()]);
    await Promise.all(all.map((listener) => listener.end()));
  }

  async #update(place: Place): Promise<void> {
    const key = `${place.namespace}/${place.name}`;
    const { store } = this.#context;
    const service = storedObject<Service>(store, { resource: "services", ...place });
    const wanted = service === undefined ? [] : listenersOf(service);
    const known = this.#listeners.get(key) ?? new Map<string, RelayListener>();
    this.#listeners.set(key, known);
    const keys = new Set(wanted.map(keyOf));
    for (const [address, listener] of known) {
      if (keys.has(address)) continue;
      known.delete(address);
      await listener.end();
    }
    for (const address of wanted) {
      if (service) await this.#open(address, { known, service });
    }
    if (known.size === 0) this.#listeners.delete(key);
  }

  async #open(
    address: RelayAddress,
    { known, service }: { known: Map<string, RelayListener>; service: Service },
  ): Promise<void> {
    const key = keyOf(address);
    const { namespace = "", name = "" } = service.metadata ?? {};
    const before = known.get(key);
    if (before?.isOpen) return;
    const { logger } = this.#context;
    const choose = (client: string) =>
      this.#endpoints.choose({ namespace, name, port: address.portName, client });
    const listener = before ?? new RelayListener({ address, choose, logger });
    known.set(key, listener);
    const problem = await listener.open();
    if (problem === undefined) return;
    this.#retry({ namespace, name });
    // Reported once: a known listener that is closed has been reported.
    if (before === undefined) this.#reportProblem(service, address, problem);
  }

  #retry(place: Place): void {
    const key = `${place.namespace}/${place.name}`;
    if (this.#timers.has(key)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.reconcile(place);
    }, retryMs);
    this.#timers.set(key, timer.unref());
  }

  #reportProblem(service: Service, { host, port, protocol }: RelayAddress, problem: string): void {
    const { namespace = "", name = "", uid = "" } = service.metadata ?? {};
    const reference = { apiVersion: "v1", kind: "Service", namespace, name, uid };
    const note = `could not listen on ${host}:${port} (${protocol}): ${problem}`;
    this.#recorder.event(reference, {
      type: "Warning",
      reason: "FailedToListen",
      action: "Listening",
      note,
    });
  }
}

function keyOf({ host, port, protocol, portName }: RelayAddress): string {
  return `${protocol} ${host} ${port} ${portName}`;
}
