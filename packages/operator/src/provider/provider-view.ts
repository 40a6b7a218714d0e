import type { Provider } from "@rookery/api";
import type { ProviderIdentity } from "@rookery/components";
import type { NamespaceSet } from "../instances/namespace-set.ts";

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
  /** Where its record says that it looks for credentials, as one of several instances. */
  readonly credentials?: string;
  /** The images of its Deployments. */
  readonly images?: readonly string[];
}
