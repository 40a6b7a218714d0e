import type { KubeObject, ObjectMeta } from "@rookery/kube";

const label = /^cluster\.x-k8s\.io\/(v\d+(?:(?:alpha|beta)\d+)?)$/;

/**
 * The newest contract that CRDs say they abide by, in their labels `cluster.x-k8s.io/<contract>`, which
 * Cluster API itself goes by. Undefined where none has such a label.
 */
export function contractOfLabels(crds: readonly ObjectMeta[]): string | undefined {
  const contracts = crds.flatMap(({ labels = {} }) =>
    Object.keys(labels).flatMap((key) => label.exec(key)?.[1] ?? []),
  );
  return contracts.toSorted((a, b) => rank(b) - rank(a))[0];
}

interface CustomResourceDefinitionSpec {
  readonly versions?: readonly { readonly name: string; readonly storage?: boolean }[];
}

/** The contract of a core, as clusterctl tells it: the version in which it stores Clusters. */
export function contractOfClusters(
  crd: KubeObject<CustomResourceDefinitionSpec>,
): string | undefined {
  return crd.spec?.versions?.find(({ storage }) => storage)?.name;
}

/** As Kubernetes orders versions: v2 after v1 after v1beta2 after v1alpha4. */
function rank(contract: string): number {
  const [, major = "0", stage, minor = "0"] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(contract) ?? [];
  const maturity = stage === undefined ? 2 : stage === "beta" ? 1 : 0;
  return maturity * 1e9 + Number(major) * 1e4 + Number(minor);
}
