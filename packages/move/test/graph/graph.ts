import type { KubeObject } from "@rookery/kube";
import { objectOf } from "@rookery/testing";
import { type CustomResourceDefinition, movedTypesOf } from "../../src/graph/moved-type.ts";

/** Kinds as real providers bring them along. */
const kinds: Readonly<Record<string, { group: string; labels?: object; scope?: string }>> = {
  Cluster: { group: "cluster.x-k8s.io" },
  ClusterClass: { group: "cluster.x-k8s.io" },
  Machine: { group: "cluster.x-k8s.io" },
  MachineSet: { group: "cluster.x-k8s.io" },
  MachineDeployment: { group: "cluster.x-k8s.io" },
  MachinePool: { group: "cluster.x-k8s.io" },
  ClusterResourceSet: { group: "addons.cluster.x-k8s.io" },
  ClusterResourceSetBinding: { group: "addons.cluster.x-k8s.io" },
  KubeadmConfig: { group: "bootstrap.cluster.x-k8s.io" },
  KubeadmConfigTemplate: { group: "bootstrap.cluster.x-k8s.io" },
  KubeadmControlPlane: { group: "controlplane.cluster.x-k8s.io" },
  InfraCluster: { group: "infrastructure.cluster.x-k8s.io" },
  InfraMachine: { group: "infrastructure.cluster.x-k8s.io" },
  InfraMachineTemplate: { group: "infrastructure.cluster.x-k8s.io" },
  ForcedThing: {
    group: "external.example.com",
    labels: { "clusterctl.cluster.x-k8s.io/move": "" },
  },
  Identity: {
    group: "infrastructure.cluster.x-k8s.io",
    scope: "Cluster",
    labels: { "clusterctl.cluster.x-k8s.io/move-hierarchy": "" },
  },
  Zone: {
    group: "infrastructure.cluster.x-k8s.io",
    scope: "Cluster",
    labels: { "clusterctl.cluster.x-k8s.io/move": "" },
  },
  Plain: { group: "external.example.com" },
};

const crds: readonly CustomResourceDefinition[] = Object.entries(kinds).map(
  ([kind, { group, labels = {}, scope = "Namespaced" }]) => ({
    ...objectOf("apiextensions.k8s.io/v1", "CustomResourceDefinition", `${kind}.${group}`),
    metadata: { name: kind, labels: { "clusterctl.cluster.x-k8s.io": "", ...labels } },
    spec: {
      group,
      scope,
      names: { kind, plural: `${kind.toLowerCase()}s` },
      versions: [
        { name: "v1old", storage: false },
        { name: "v1", storage: true },
      ],
    },
  }),
);

export const types = movedTypesOf(crds);

export interface Written {
  readonly owners?: readonly KubeObject[];
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

/** An object of a kind above, or a Secret; its uid is told from its kind, namespace and name. */
export function made(kind: string, name: string, written: Written = {}): KubeObject {
  const { owners = [], labels, annotations, spec } = written;
  const { group, scope } = kinds[kind] ?? { group: "" };
  const namespace = scope === "Cluster" ? undefined : (written.namespace ?? "ns");
  return {
    apiVersion: group === "" ? "v1" : `${group}/v1`,
    kind,
    spec,
    metadata: {
      name,
      uid: `${kind}/${namespace ?? ""}/${name}`,
      resourceVersion: "1",
      ...(namespace && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(owners.length > 0 && {
        ownerReferences: owners.map((owner) => ({
          apiVersion: owner.apiVersion.replace(/v1$/, "v1old"),
          kind: owner.kind,
          name: owner.metadata.name ?? "",
          uid: owner.metadata.uid ?? "",
        })),
      }),
    },
  };
}
