import { type ObjectKey, parseObjectKey } from "@rookery/kube";
import { Gauge, type Metrics } from "@rookery/runtime";
import type { Authority } from "./names.ts";

const labelNames = ["namespace", "name", "authority"] as const;

/** Exports the expiry of authorities, for alerts. */
export class AuthorityExpiry {
  readonly #gauge: Gauge<(typeof labelNames)[number]>;
  readonly #known = new Map<string, readonly string[]>();

  constructor({ registry }: Pick<Metrics, "registry">) {
    this.#gauge = new Gauge({
      name: "rookery_nested_authority_expiration_timestamp_seconds",
      help: "When the authority of a control plane that signs now expires",
      labelNames,
      registers: [registry],
    });
  }

  set(key: string, expiries: Readonly<Partial<Record<Authority, Date>>>): void {
    const labels = this.#labels(key);
    for (const [authority, date] of Object.entries(expiries)) {
      this.#gauge.set({ ...labels, authority }, date.getTime() / 1000);
    }
    if (Object.keys(expiries).length > 0) this.#known.set(key, Object.keys(expiries));
  }

  forget(key: string): void {
    for (const authority of this.#known.get(key) ?? []) {
      this.#gauge.remove({ ...this.#labels(key), authority });
    }
    this.#known.delete(key);
  }

  #labels(key: string): ObjectKey & { readonly namespace: string } {
    return { namespace: "", ...parseObjectKey(key) };
  }
}
