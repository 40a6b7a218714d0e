import { releaseMetadata } from "@rookery/cluster-api";

/** The namespace that the components are written for; a provider operator puts them into its object's. */
const namespace = "rookery-concierge-system";

export interface ReleaseOptions {
  /** The image of Rookery. */
  readonly image: string;
}

/**
 * The files of a release, as clusterctl and provider operators look for them: the concierge is an
 * add-on. The manifests are imported by the call, so that `rookery login` starts fast.
 */
export async function conciergeRelease({
  image,
}: ReleaseOptions): Promise<ReadonlyMap<string, readonly object[]>> {
  const { conciergeManifests } = await import("./manifests.ts");
  return new Map([
    ["addon-components.yaml", conciergeManifests({ namespace, image, confined: true })],
    // An add-on uses nothing of Cluster API, but its metadata has to name a contract.
    ["metadata.yaml", [releaseMetadata()]],
  ]);
}
