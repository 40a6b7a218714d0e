import type { Service, ServiceSpec } from "@rookery/api";
import type { Clock, StoreEntry } from "@rookery/kube";
import type { Store } from "../../store/store.ts";
import { nodePortsOf } from "./service-types.ts";

const resource = "services";
/** Promises end after this time because a dry run never stores its Service. */
const promiseMs = 60_000;

interface Promised {
  readonly values: Set<string>;
  readonly until: number;
}

/** The addresses and ports of stored Services, and those promised to Services that are not stored yet. */
export class AllocatedServices {
  readonly #store: Store;
  readonly #stored = new Map<string, number>();
  readonly #now: Clock;
  readonly #promised = new Map<string, Promised>();
  #following = false;

  constructor(store: Store, now: Clock) {
    this.#store = store;
    this.#now = now;
  }

  /** Values look like "ip/10.0.0.1" and "port/30000". */
  has(value: string): boolean {
    this.#follow();
    if (this.#stored.has(value)) return true;
    const now = this.#now().getTime();
    return [...this.#promised.values()].some(({ values, until }) => {
      return until > now && values.has(value);
    });
  }

  /** Reserves a value until the Service is stored or released. */
  promise(service: Service, value: string): void {
    const key = keyOf(service);
    const values = this.#promised.get(key)?.values ?? new Set();
    values.add(value);
    this.#promised.set(key, { values, until: this.#now().getTime() + promiseMs });
  }

  /** Ends the promises for a Service that is not stored, or was deleted. */
  release(service: Service): void {
    this.#promised.delete(keyOf(service));
  }

  #follow(): void {
    if (this.#following) return;
    this.#following = true;
    const { entries, revision } = this.#store.list(resource);
    for (const entry of entries) this.#count(entry, 1);
    this.#store.watch(resource, revision, ({ entry, previous }) => {
      if (previous) this.#count(previous, -1);
      if (!entry) return;
      this.#count(entry, 1);
      this.release(entry.object as Service);
    });
  }

  #count({ object }: StoreEntry, by: 1 | -1): void {
    for (const value of valuesOf((object.spec ?? {}) as ServiceSpec)) {
      const count = (this.#stored.get(value) ?? 0) + by;
      if (count > 0) this.#stored.set(value, count);
      else this.#stored.delete(value);
    }
  }
}

function keyOf({ metadata }: Service): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

function valuesOf(spec: ServiceSpec): string[] {
  const ips = (spec.clusterIPs ?? []).filter((ip) => ip !== "None");
  const check = spec.healthCheckNodePort ? [spec.healthCheckNodePort] : [];
  return [
    ...ips.map((ip) => `ip/${ip}`),
    ...[...nodePortsOf(spec), ...check].map((port) => `port/${port}`),
  ];
}
