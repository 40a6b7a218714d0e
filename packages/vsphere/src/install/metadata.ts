/** Which contract of Cluster API each series of releases has, as clusterctl asks for it. */
export function metadataManifest(): object {
  return {
    apiVersion: "clusterctl.cluster.x-k8s.io/v1alpha3",
    kind: "Metadata",
    releaseSeries: [
      { major: 0, minor: 1, contract: "v1beta2" },
      { major: 0, minor: 2, contract: "v1beta2" },
      { major: 0, minor: 3, contract: "v1beta2" },
    ],
  };
}
