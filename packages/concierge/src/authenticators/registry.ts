import type { ConditionStatement, KubeObject } from "@rookery/kube";
import type { HealthCheck, Informer } from "@rookery/runtime";
import type { TokenAuthenticator } from "./authenticator.ts";

/** The result of all checks of an authenticator. */
export interface Examination {
  readonly statements: readonly ConditionStatement[];
  /** Absent if a check failed. */
  readonly authenticator?: TokenAuthenticator;
  /** An error that no condition explains: it is logged, and the check is retried soon. */
  readonly unforeseen?: unknown;
}

/** An examination with the identity of its object. */
interface Entry extends Examination {
  readonly uid: string;
  readonly generation: number;
}

/** The examinations of one kind of authenticators, on this replica. Each is for one generation. */
export class AuthenticatorRegistry {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<(name: string) => void>();

  /** The examination of this generation of the object. */
  find(object: KubeObject): Examination | undefined {
    const entry = this.#entries.get(nameOf(object));
    return entry && isOf(entry, object) ? entry : undefined;
  }

  /** Whether an object of this name was ever examined. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The number of authenticators that are ready, or are not. */
  count(ready: boolean): number {
    const entries = [...this.#entries.values()];
    return entries.filter(({ authenticator }) => (authenticator !== undefined) === ready).length;
  }

  /**
   * Replaces the examination. After a failure, the former authenticator of the generation stays.
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

interface AuthenticatorKind<Method extends keyof Informer<KubeObject>> {
  readonly informer: Pick<Informer<KubeObject>, Method>;
  readonly registry: AuthenticatorRegistry;
}

/** The reference of a TokenCredentialRequest to its authenticator. */
export interface AuthenticatorReference {
  readonly apiGroup?: string | null;
  readonly kind?: string;
  readonly name?: string;
}

export type AuthenticatorLookup = (
  reference: AuthenticatorReference,
) => TokenAuthenticator | undefined;

export interface AuthenticatorLookupOptions {
  /** The group of authenticators in this instance: references must name exactly this one. */
  readonly group: string;
  readonly kinds: Readonly<Record<string, AuthenticatorKind<"get">>>;
}

/** Finds authenticators that are ready, unless the object was deleted or changed since then. */
export function createAuthenticatorLookup({
  group,
  kinds,
}: AuthenticatorLookupOptions): AuthenticatorLookup {
  const known = new Map(Object.entries(kinds));
  return ({ apiGroup, kind = "", name = "" }) => {
    if (apiGroup !== group) return undefined;
    const found = known.get(kind);
    const object = found?.informer.get({ name });
    return object && found?.registry.find(object)?.authenticator;
  };
}

/** A readiness check: before the first examinations, this replica would reject valid tokens. */
export function examinedCheck(
  kinds: readonly AuthenticatorKind<"hasSynced" | "list">[],
): HealthCheck {
  let isExamined = false;
  return () => {
    if (isExamined) return;
    if (!kinds.every(({ informer }) => informer.hasSynced)) {
      throw new Error("the authenticators are not known yet");
    }
    const waiting = kinds.flatMap(({ informer, registry }) =>
      informer.list().filter(({ metadata }) => !registry.has(metadata.name ?? "")),
    );
    if (waiting.length > 0) throw new Error(`${waiting.length} authenticators are being examined`);
    isExamined = true;
  };
}
