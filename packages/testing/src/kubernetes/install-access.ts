import type { Kubernetes } from "../kubernetes.ts";

interface Manifest {
  readonly kind: string;
}

const accessKinds = [
  "Namespace",
  "ServiceAccount",
  "ClusterRole",
  "ClusterRoleBinding",
  "Role",
  "RoleBinding",
];

/**
 * Applies the namespaces, accounts, roles and bindings among the manifests of a release, so that a
 * manager can be tested with exactly the rights that ship: see `Kubernetes.serviceAccount`.
 */
export async function installAccess(
  kubernetes: Pick<Kubernetes, "kubectl">,
  manifests: readonly object[],
): Promise<void> {
  const access = (manifests as readonly Manifest[])
    .filter(({ kind }) => accessKinds.includes(kind))
    .toSorted((a, b) => accessKinds.indexOf(a.kind) - accessKinds.indexOf(b.kind));
  const stdin = access.map((manifest) => JSON.stringify(manifest)).join("\n---\n");
  await kubernetes.kubectl(["apply", "--server-side", "--filename=-"], { stdin });
}
