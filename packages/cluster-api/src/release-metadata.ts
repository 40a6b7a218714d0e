import { clusterctlGroup } from "./names.ts";

/** The series of Rookery's releases, which all of its providers share. */
const minors = [1, 2, 3];

/** The file metadata.yaml of a release: which contract of Cluster API each series of releases fulfils. */
export function releaseMetadata(): object {
  return {
    apiVersion: `${clusterctlGroup}/v1alpha3`,
    kind: "Metadata",
    releaseSeries: minors.map((minor) => ({ major: 0, minor, contract: "v1beta2" })),
  };
}
