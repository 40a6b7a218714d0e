import type { NamespaceScope } from "@rookery/runtime";

/** How the components of one instance are laid out beside those of the others. */
export interface InstanceLayout {
  /** What its manager may watch now. */
  readonly scope: NamespaceScope;
  /** What narrows it to that. */
  readonly by: "flag" | "proxy";
  /** Whether it has what all instances share. */
  readonly first: boolean;
  /** What its webhooks admit. */
  readonly admits: NamespaceScope;
  readonly rbac: "Cluster" | "Namespaced";
  /** Of the first: the namespaces of all instances whose accounts have their rights cluster-wide. */
  readonly accounts: readonly string[];
  /** Where it looks for credentials that its own namespace does not have; absent for a new instance. */
  readonly credentials?: string;
}
