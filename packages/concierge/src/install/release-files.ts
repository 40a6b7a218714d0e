import { releaseMetadata } from "@rookery/cluster-api";
import type { InstallOptions } from "./instance.ts";

/** The namespace of the components; a provider operator replaces it by that of its object. */
const namespace = "rookery-concierge-system";

/** The manifests of one instance in the order of their application. Errors: InstallError. */
export async function renderConcierge(options: InstallOptions): Promise<readonly object[]> {
  // Imported by the call, so that `rookery login` starts fast.
  const { conciergeManifests } = await import("./manifests.ts");
  return conciergeManifests(options);
}

export interface ReleaseOptions {
  /** The image of Rookery. */
  readonly image: string;
}

/** The files of a release for clusterctl and provider operators: the concierge is an add-on. */
export async function conciergeRelease({
  image,
}: ReleaseOptions): Promise<ReadonlyMap<string, readonly object[]>> {
  return new Map([
    ["addon-components.yaml", await renderConcierge({ namespace, image, confined: true })],
    // An add-on uses nothing of Cluster API, but its metadata has to name a contract.
    ["metadata.yaml", [releaseMetadata()]],
  ]);
}
