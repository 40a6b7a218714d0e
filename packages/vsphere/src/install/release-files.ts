import { releaseMetadata } from "@rookery/cluster-api";
import {
  clusterTemplate,
  clusterTemplateWithIdentity,
  clusterTemplateWithoutMachines,
} from "./cluster-template.ts";
import { componentManifests } from "./components.ts";

export interface ReleaseOptions {
  /** The image of Rookery. */
  readonly image: string;
}

/**
 * The files of a release, as clusterctl and provider operators look for them: lists of YAML documents with variables.
 * Write the strings in a Secret's stringData as literal blocks: the values of variables may contain any character.
 */
export function vsphereRelease({ image }: ReleaseOptions): ReadonlyMap<string, readonly object[]> {
  return new Map([
    ["infrastructure-components.yaml", componentManifests(image)],
    ["metadata.yaml", [releaseMetadata()]],
    ["cluster-template.yaml", clusterTemplate()],
    ["cluster-template-identity.yaml", clusterTemplateWithIdentity()],
    ["cluster-template-no-machines.yaml", clusterTemplateWithoutMachines()],
  ]);
}
