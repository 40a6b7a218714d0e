import type { NamespaceScope } from "@rookery/runtime";

/** The part of one instance among several. */
export interface InstanceLayout {
  /** The namespaces that its manager watches. */
  readonly scope: NamespaceScope;
  /** What limits it to them. */
  readonly by: "flag" | "proxy";
  /** Whether it has the shared objects. */
  readonly first: boolean;
  /** The namespaces of its webhooks. */
  readonly admits: NamespaceScope;
  readonly rbac: "Cluster" | "Namespaced";
  /** Of the first: the namespaces of all accounts with cluster-wide rights. */
  readonly accounts: readonly string[];
  /** A second namespace with credentials; absent for a new instance. */
  readonly credentials?: string;
}
