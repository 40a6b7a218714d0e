import type { Provider } from "@rookery/api";
import type { ProviderIdentity } from "@rookery/components";
import type { NamespaceSet } from "../identity/namespace-set.ts";
import type { Rights } from "./install-state.ts";

/** The parts of a provider that other providers depend on. */
export interface ProviderView {
  readonly provider: Provider;
  readonly identity: ProviderIdentity;
  /** The last verified release, by its record. */
  readonly installed?: { readonly version: string; readonly contract: string };
  /** The release that is being installed, by its record. */
  readonly next?: { readonly version: string; readonly contract: string };
  readonly isReady: boolean;
  /** Whether all its Deployments have 0 pods. */
  readonly isScaledDown: boolean;
  /** The namespaces that it may watch, by its record. */
  readonly watching?: NamespaceSet;
  /** The namespaces that its webhooks surely admit. */
  readonly admits?: NamespaceSet;
  /** Whether it surely has the shared objects of all instances. */
  readonly isFirst?: boolean;
  /** The rights of its account, by a record with a valid seal. */
  readonly rights?: Rights;
  readonly images?: readonly string[];
}

/** One provider, and all others of any kind. */
export interface ProviderViews {
  readonly self: ProviderView;
  readonly others: readonly ProviderView[];
}
