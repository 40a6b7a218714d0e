import type { Provider } from "@rookery/api";
import type { ProviderIdentity } from "@rookery/components";
import type { NamespaceSet } from "../identity/namespace-set.ts";
import type { Rights } from "./recorded-scope.ts";

/** What others need to know of a provider. */
export interface ProviderView {
  readonly provider: Provider;
  readonly identity: ProviderIdentity;
  /** What its recorded state says is in the cluster; absent before all of it was applied once. */
  readonly installed?: { readonly version: string; readonly contract: string };
  /** What it is being changed to, and may be in part. */
  readonly next?: { readonly version: string; readonly contract: string };
  readonly isReady: boolean;
  /** Whether every Deployment of it has 0 pods. */
  readonly isScaledDown: boolean;
  /** What its recorded state says that it may watch; absent where there is none. */
  readonly watching?: NamespaceSet;
  /** What its webhooks surely admit. */
  readonly admits?: NamespaceSet;
  /** Whether it surely has what all instances of the provider share. */
  readonly isFirst?: boolean;
  /** Where its record says that its account has rights; absent where nobody can vouch for the record. */
  readonly rights?: Rights;
  /** The images of its Deployments. */
  readonly images?: readonly string[];
}

/** All providers of any kind but one, and that one. */
export interface ProviderViews {
  readonly self: ProviderView;
  readonly others: readonly ProviderView[];
}
