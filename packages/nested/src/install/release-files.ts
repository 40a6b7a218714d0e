import { releaseMetadata } from "@rookery/cluster-api";
import { clusterTemplate, lightClusterTemplate } from "./cluster-template.ts";
import { controlPlaneComponents, infrastructureComponents } from "./components.ts";

export interface ReleaseOptions {
  /** The image of Rookery. */
  readonly image: string;
}

/**
 * The files of a release, as clusterctl and provider operators look for them, each a list of YAML
 * documents with variables in them. Both providers come with it: one program, two Deployments.
 */
export function nestedRelease({ image }: ReleaseOptions): ReadonlyMap<string, readonly object[]> {
  return new Map<string, readonly object[]>([
    ["infrastructure-components.yaml", infrastructureComponents(image)],
    ["control-plane-components.yaml", controlPlaneComponents(image)],
    ["metadata.yaml", [releaseMetadata()]],
    ["cluster-template.yaml", clusterTemplate()],
    ["cluster-template-light.yaml", lightClusterTemplate()],
  ]);
}
