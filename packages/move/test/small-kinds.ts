import type { CustomResourceDefinition } from "@rookery/testing";

const infrastructure = "infrastructure.cluster.x-k8s.io";

/** Kinds of an infrastructure provider that takes anything, and one of an identity in no namespace. */
export const smallKinds: readonly CustomResourceDefinition[] = [
  small("InfraCluster"),
  small("InfraMachine"),
  small("InfraMachineTemplate"),
  small("InfraIdentity", {
    scope: "Cluster",
    labels: { "clusterctl.cluster.x-k8s.io/move-hierarchy": "" },
  }),
  small("InfraPolicy", { labels: { "clusterctl.cluster.x-k8s.io/move": "" } }),
];

interface SmallKindOptions {
  readonly scope?: "Namespaced" | "Cluster";
  readonly labels?: Readonly<Record<string, string>>;
  readonly version?: string;
}

/** A kind that takes anything, as a provider brings it along. */
export function small(kind: string, options: SmallKindOptions = {}): CustomResourceDefinition {
  const { scope = "Namespaced", version = "v1beta2" } = options;
  // By which Cluster API's core finds the version of a kind that is named without one.
  const labels = { ...options.labels, "cluster.x-k8s.io/v1beta2": version };
  const singular = kind.toLowerCase();
  const plural = singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return withMoveLabels({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${infrastructure}`, labels } as { name: string },
    spec: {
      group: infrastructure,
      scope,
      names: { kind, plural, singular },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } },
          },
        },
      ],
    },
  });
}

/** As clusterctl and the operator label what they install. */
export function withMoveLabels(crd: CustomResourceDefinition): CustomResourceDefinition {
  const { metadata } = crd as { metadata: { name: string; labels?: Record<string, string> } };
  const labels = { ...metadata.labels, "clusterctl.cluster.x-k8s.io": "" };
  return { ...crd, metadata: { ...metadata, labels } as { name: string } };
}
