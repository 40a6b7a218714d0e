import type { ConditionStatement, KubeObject } from "@rookery/kube";
import type { TokenAuthenticator } from "./authenticator.ts";

/** The result of all checks of an authenticator. */
export interface Examination {
  /** Its conditions. */
  readonly statements: readonly ConditionStatement[];
  /** Absent where it cannot be used. */
  readonly authenticator?: TokenAuthenticator;
  /** The error of a check that no condition explains: it is logged, and retried soon. */
  readonly unforeseen?: unknown;
}

/** An examination, and the state of the object that it was made of. */
interface Entry extends Examination {
  readonly uid: string;
  readonly generation: number;
}

/**
 * The authenticators of one kind that are ready for use, with what is known of the others. Every
 * replica has its own; what it knows holds for exactly one generation of an object.
 */
export class AuthenticatorRegistry {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<(name: string) => void>();

  /** The examination of the object as it is, if there was one. */
  find(object: KubeObject): Examination | undefined {
    const entry = this.#entries.get(nameOf(object));
    return entry && isOf(entry, object) ? entry : undefined;
  }

  /** Whether an object of that name was ever examined, in whatever state it was. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** How many can be used, or can't. */
  count(ready: boolean): number {
    const entries = [...this.#entries.values()];
    return entries.filter(({ authenticator }) => (authenticator !== undefined) === ready).length;
  }

  /**
   * Puts an examination in the place of the one before. Where an issuer that was ready is not to be
   * reached for a while, its authenticator stays, with the keys that it has: they age by themselves.
   */
  put(object: KubeObject, examination: Examination): void {
    const name = nameOf(object);
    const before = this.#entries.get(name);
    const kept = before && isOf(before, object) ? before.authenticator : undefined;
    const authenticator = examination.authenticator ?? kept;
    if (before?.authenticator !== authenticator) before?.authenticator?.[Symbol.dispose]();
    const { uid = "", generation = 0 } = object.metadata;
    const { statements } = examination;
    const entry = { uid, generation, statements, ...(authenticator && { authenticator }) };
    this.#entries.set(name, entry);
    for (const listener of this.#listeners) listener(name);
  }

  delete(name: string): void {
    this.#entries.get(name)?.authenticator?.[Symbol.dispose]();
    this.#entries.delete(name);
  }

  /** The listener is called after each examination, until the signal is aborted. */
  subscribe(listener: (name: string) => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? "";
}

function isOf({ uid, generation }: Entry, { metadata }: KubeObject): boolean {
  return uid === metadata.uid && generation === metadata.generation;
}
