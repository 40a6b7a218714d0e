import type { Simulator } from "../../../vsphere/test/vcsim.ts";

const hosted = { group: "controlplane.cluster.x-k8s.io", kind: "HostedControlPlane" };

/** Whose control planes somebody else runs: of these, Cluster API is only told. */
export const hostedControlPlanes = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: `hostedcontrolplanes.${hosted.group}`,
    labels: { "cluster.x-k8s.io/v1beta2": "v1beta1", "clusterctl.cluster.x-k8s.io": "" },
  },
  spec: {
    group: hosted.group,
    scope: "Namespaced",
    names: {
      kind: hosted.kind,
      plural: "hostedcontrolplanes",
      singular: "hostedcontrolplane",
      listKind: "HostedControlPlaneList",
    },
    versions: [
      {
        name: "v1beta1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
};

/** The namespace of a tenant, and an account at the vCenter that it alone may use. */
export function tenantObjects(tenant: string, { server }: Simulator): readonly object[] {
  return [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: tenant, labels: { "rookery.dev/tenant": tenant } },
    },
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: tenant, namespace: "capv-system" },
      stringData: { username: tenant, password: tenant },
    },
    {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "VSphereClusterIdentity",
      metadata: { name: tenant },
      spec: {
        secretName: tenant,
        allowedNamespaces: { list: [tenant] },
        allowedServers: [server],
      },
    },
  ];
}

/** For `rookery generate cluster`. */
export function clusterTemplate({ thumbprint }: Simulator): string {
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: "\${CLUSTER_NAME}", namespace: "\${NAMESPACE}"}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: VSphereCluster, name: "\${CLUSTER_NAME}"}
  controlPlaneRef: {apiGroup: ${hosted.group}, kind: ${hosted.kind}, name: "\${CLUSTER_NAME}"}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereCluster
metadata: {name: "\${CLUSTER_NAME}", namespace: "\${NAMESPACE}"}
spec:
  server: "\${VSPHERE_SERVER}"
  thumbprint: "${thumbprint}"
  controlPlaneEndpoint: {host: "\${CLUSTER_NAME}.example.com", port: 6443}
  identityRef: {kind: VSphereClusterIdentity, name: "\${NAMESPACE}"}
---
apiVersion: ${hosted.group}/v1beta1
kind: ${hosted.kind}
metadata: {name: "\${CLUSTER_NAME}", namespace: "\${NAMESPACE}"}
status:
  initialization: {controlPlaneInitialized: true}
  externalManagedControlPlane: true
`;
}

/** An instance of the vSphere provider for a tenant alone. */
export function ownInstance(tenant: string, version: string): object {
  return {
    apiVersion: "management.cluster.x-k8s.io/v1alpha1",
    kind: "InfrastructureProvider",
    metadata: { name: "vsphere", namespace: `${tenant}-capv-system` },
    spec: {
      version,
      watch: { namespaces: [tenant] },
      fetchConfig: {
        selector: { matchLabels: { "rookery.dev/supplied-for": "infrastructure-vsphere" } },
      },
      // Identities are in no namespace: both instances look for their Secrets in the same one.
      deployment: {
        containers: [{ name: "manager", args: { "credentials-namespace": "capv-system" } }],
      },
    },
  };
}
