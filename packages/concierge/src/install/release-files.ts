/** The namespace that the components are written for; a provider operator puts them into its object's. */
const namespace = "rookery-concierge-system";

export interface ReleaseOptions {
  /** The image of Rookery. */
  readonly image: string;
}

/**
 * The files of a release, as clusterctl and provider operators look for them: the concierge is an
 * add-on. Loaded when it is called, so that `rookery login` is quick.
 */
export async function conciergeRelease({
  image,
}: ReleaseOptions): Promise<ReadonlyMap<string, readonly object[]>> {
  const { conciergeManifests } = await import("./manifests.ts");
  return new Map([
    ["addon-components.yaml", conciergeManifests({ namespace, image, confined: true })],
    ["metadata.yaml", [metadataManifest]],
  ]);
}

/** It uses nothing of Cluster API; a contract it has to name all the same. */
const metadataManifest = {
  apiVersion: "clusterctl.cluster.x-k8s.io/v1alpha3",
  kind: "Metadata",
  releaseSeries: [
    { major: 0, minor: 1, contract: "v1beta2" },
    { major: 0, minor: 2, contract: "v1beta2" },
    { major: 0, minor: 3, contract: "v1beta2" },
  ],
};
