import { kubeconfigSecret, userKubeconfigSecret } from "../names.ts";

/** Whom a kubeconfig is for. */
export interface KubeconfigAccount {
  /** The Secret that it is in, of a Cluster. */
  readonly secret: (cluster: string) => string;
  readonly commonName: string;
  readonly organization: string;
  readonly validityMs: number;
  /** Whether one that is valid for longer than that is replaced. */
  readonly isBounded: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** As Cluster API has it: a year, and no rule of the tenant's can lock them out. */
export const controllers: KubeconfigAccount = {
  secret: kubeconfigSecret,
  commonName: "kubernetes-admin",
  organization: "system:masters",
  validityMs: 365 * dayMs,
  isBounded: false,
};

/** The group that people are in: what it may do is up to the tenant. */
export const peopleGroup = "nested:cluster-admins";

export function people(validityMs: number): KubeconfigAccount {
  return {
    secret: userKubeconfigSecret,
    commonName: "nested-admin",
    organization: peopleGroup,
    validityMs,
    isBounded: true,
  };
}
