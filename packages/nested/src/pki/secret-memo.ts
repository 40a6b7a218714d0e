import type { Clock } from "@rookery/kube";
import type { AdoptingStore, Secret } from "./secret.ts";

const notThere = "";

/** The result of the last look at some Secrets. */
interface Memory<T> {
  readonly inputs: string;
  readonly versions: ReadonlyMap<string, string>;
  /** When it is to be looked at again, whatever has changed. */
  readonly until?: Date;
  readonly found: T;
}

/**
 * Remembers what was found out about the Secrets of an object, by their versions, so that they are read
 * and verified again only when one of them, or what they depend on, has changed. No content is kept.
 */
export class SecretMemo<T> {
  readonly #versionOf: (namespace: string, name: string) => string | undefined;
  readonly #clock: Clock;
  readonly #memories = new Map<string, Memory<T>>();

  /** Given the version that a Secret has now, as far as it is known. */
  constructor(versionOf: (namespace: string, name: string) => string | undefined, clock: Clock) {
    this.#versionOf = versionOf;
    this.#clock = clock;
  }

  recall(key: string, namespace: string, inputs: string): T | undefined {
    const memory = this.#memories.get(key);
    if (memory?.inputs !== inputs) return undefined;
    if (memory.until && memory.until <= this.#clock()) return undefined;
    const isSame = [...memory.versions].every(
      ([name, version]) => (this.#versionOf(namespace, name) ?? notThere) === version,
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

/** The same store, which notes the version of each Secret that goes through it, or that it is missing. */
export function noting(store: AdoptingStore, versions: Map<string, string>): AdoptingStore {
  const note = (secret: Secret): Secret => {
    versions.set(secret.metadata.name ?? "", secret.metadata.resourceVersion ?? "");
    return secret;
  };
  return {
    get: async (name) => {
      const found = await store.get(name);
      if (!found) versions.set(name, notThere);
      return found && note(found);
    },
    create: async (secret) => note(await store.create(secret)),
    write: async (secret, changes) => note(await store.write(secret, changes)),
    adopt: async (secret) => note(await store.adopt(secret)),
  };
}
