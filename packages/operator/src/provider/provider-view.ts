import type { Provider } from "@rookery/api";
import type { ProviderIdentity } from "@rookery/components";

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
}
