import type { KubeObject, ObjectKey } from "@rookery/kube";
import type { TokenAuthenticator } from "../authenticators/authenticator.ts";
import type { AuthenticatorRegistry } from "../authenticators/registry.ts";

/** The reference of a TokenCredentialRequest to its authenticator. */
export interface AuthenticatorReference {
  readonly apiGroup?: string | null;
  readonly kind?: string;
  readonly name?: string;
}

/** Where the authenticators of one kind are. */
interface AuthenticatorShelf {
  /** Has the objects as they are in the cluster. */
  readonly informer: { get(key: ObjectKey): KubeObject | undefined };
  readonly registry: AuthenticatorRegistry;
}

export interface AuthenticatorLookupOptions {
  /** The group under which this instance has its authenticators: requests must name that very one. */
  readonly group: string;
  readonly kinds: Readonly<Record<string, AuthenticatorShelf>>;
}

export type AuthenticatorLookup = (
  reference: AuthenticatorReference,
) => TokenAuthenticator | undefined;

/**
 * Finds authenticators that are ready. One whose object was deleted or changed is not found from the
 * moment on in which that is known, however long its next examination takes.
 */
export function createAuthenticatorLookup(
  options: AuthenticatorLookupOptions,
): AuthenticatorLookup {
  const shelves = new Map(Object.entries(options.kinds));
  return ({ apiGroup, kind = "", name = "" }) => {
    if (apiGroup !== options.group) return undefined;
    const shelf = shelves.get(kind);
    const object = shelf?.informer.get({ name });
    return object && shelf?.registry.find(object)?.authenticator;
  };
}
