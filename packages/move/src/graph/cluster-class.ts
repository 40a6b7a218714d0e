import type { KubeObject } from "@rookery/kube";

interface Topology {
  /** Since v1beta2. */
  readonly classRef?: { readonly name?: string; readonly namespace?: string };
  /** In v1beta1. */
  readonly class?: string;
  readonly classNamespace?: string;
}

/** The ClusterClass of a Cluster. */
export function classOf(
  cluster: KubeObject,
): { readonly namespace: string; readonly name: string } | undefined {
  const { topology } = (cluster.spec ?? {}) as { readonly topology?: Topology };
  const name = topology?.classRef?.name || topology?.class;
  if (!name) return undefined;
  const named = topology?.classRef?.namespace || topology?.classNamespace;
  return { namespace: named || (cluster.metadata.namespace ?? ""), name };
}

/** A template in the namespace of its ClusterClass. */
export interface TemplateReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The templates of a ClusterClass: `templateRef` since v1beta2, `ref` before. */
export function templatesOf(clusterClass: KubeObject): readonly TemplateReference[] {
  const found = new Map<string, TemplateReference>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if ((key === "templateRef" || key === "ref") && isTemplateReference(child)) {
        const { apiVersion, kind, name } = child;
        found.set(`${apiVersion} ${kind} ${name}`, { apiVersion, kind, name });
      } else visit(child);
    }
  };
  visit(clusterClass.spec);
  return [...found.values()];
}

function isTemplateReference(value: unknown): value is TemplateReference {
  if (typeof value !== "object" || value === null) return false;
  const { apiVersion, kind, name } = value as Partial<TemplateReference>;
  return [apiVersion, kind, name].every((text) => typeof text === "string" && text !== "");
}
