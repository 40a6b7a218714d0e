import { releaseMetadata } from "@rookery/cluster-api";
import { componentManifests } from "./components.ts";

export interface ReleaseOptions {
  /** The image of Rookery. */
  readonly image: string;
}

/** The files of a release, as clusterctl and provider operators look for them. */
export function coreRelease({ image }: ReleaseOptions): ReadonlyMap<string, readonly object[]> {
  return new Map<string, readonly object[]>([
    ["core-components.yaml", componentManifests(image)],
    ["metadata.yaml", [releaseMetadata()]],
  ]);
}
