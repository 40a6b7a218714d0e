import type { Clock } from "@rookery/kube";
import type { AdoptingStore, Secret } from "./secret.ts";

const absent = "";

interface Memory<T> {
  readonly inputs: string;
  readonly versions: ReadonlyMap<string, string>;
  /** The time of the next check, whatever has changed. */
  readonly until?: Date;
  readonly found: T;
}

/** Remembers a result about Secrets until one of their versions changes, without their content. */
export class SecretMemo<T> {
  readonly #versionOf: (namespace: string, name: string) => string | undefined;
  readonly #clock: Clock;
  readonly #memories = new Map<string, Memory<T>>();

  /** Takes a function that returns the present version of a Secret. */
  constructor(versionOf: (namespace: string, name: string) => string | undefined, clock: Clock) {
    this.#versionOf = versionOf;
    this.#clock = clock;
  }

  recall(key: string, namespace: string, inputs: string): T | undefined {
    const memory = this.#memories.get(key);
    if (memory?.inputs !== inputs) return undefined;
    if (memory.until && memory.until <= this.#clock()) return undefined;
    const isSame = [...memory.versions].every(
      ([name, version]) => (this.#versionOf(namespace, name) ?? absent) === version,
    );
    return isSame ? memory.found : undefined;
  }

  remember(key: string, memory: Memory<T>): void {
    this.#memories.set(key, memory);
  }

  forget(key: string): void {
    this.#memories.delete(key);
  }
}

/** A store that records the version of each Secret that it reads or writes, or its absence. */
export function recording(store: AdoptingStore, versions: Map<string, string>): AdoptingStore {
  const note = (secret: Secret): Secret => {
    versions.set(secret.metadata.name ?? "", secret.metadata.resourceVersion ?? "");
    return secret;
  };
  return {
    get: async (name) => {
      const found = await store.get(name);
      if (!found) versions.set(name, absent);
      return found && note(found);
    },
    create: async (secret) => note(await store.create(secret)),
    write: async (secret, changes) => note(await store.write(secret, changes)),
    adopt: async (secret) => note(await store.adopt(secret)),
  };
}
