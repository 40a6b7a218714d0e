import type { Clock } from "@rookery/kube";
import type { RotationSettings, Trusters } from "./rotation.ts";
import type { SecretOwner, SecretStore } from "./secret.ts";

/** The inputs of the certificates of one control plane. */
export interface PkiScope extends SecretOwner {
  readonly namespace: string;
  readonly store: SecretStore;
  readonly caValidityMs: number;
  readonly leafValidityMs: number;
  /** Whether the tenant uses the authorities already. */
  readonly isInitialized: boolean;
  readonly serviceCidr: string;
  readonly servicePort: number;
  /** The hosts of the API server, besides the default ones. */
  readonly hosts: readonly string[];
  /**
   * Whether the serving certificate waits for the endpoint. Otherwise the API server would start with a
   * certificate that no client trusts, until the kubelet updates it.
   */
  readonly awaitsEndpoint: boolean;
  readonly rotation: RotationSettings;
  /** The components that must trust each authority before it signs. */
  readonly trusters: Trusters;
  readonly clock: Clock;
}
