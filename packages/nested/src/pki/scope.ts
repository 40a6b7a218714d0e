import type { Clock } from "@rookery/kube";
import type { RotationWish, Trusters } from "./rotation.ts";
import type { SecretOwner, SecretStore } from "./secret.ts";

/** What the certificates of one control plane depend on. */
export interface PkiScope extends SecretOwner {
  readonly namespace: string;
  readonly store: SecretStore;
  readonly caValidityMs: number;
  readonly leafValidityMs: number;
  /** Whether the tenant has been told of the authorities. */
  readonly isInitialized: boolean;
  readonly serviceCidr: string;
  /** The port of the API server's Service. */
  readonly servicePort: number;
  /** Names and addresses, beside those that every API server has, under which it is reached. */
  readonly hosts: readonly string[];
  /**
   * Whether the API server is about to say under which name it is reached: the certificate that it serves with
   * is made then. It would else start with one that no client trusts, until its kubelet brings it another.
   */
  readonly awaitsEndpoint: boolean;
  readonly rotation: RotationWish;
  /** Who has to trust each authority before another one signs. */
  readonly trusters: Trusters;
  readonly clock: Clock;
}
