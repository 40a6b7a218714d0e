import type { PartialObjectMetadata } from "@rookery/kube";
import { topologyDryRunAnnotation } from "./names.ts";

interface Admission {
  readonly request: {
    readonly dryRun?: boolean;
    readonly object?: Pick<PartialObjectMetadata, "metadata"> | null;
  };
}

/**
 * Whether the topology controller of Cluster API only asks what a write would change. A webhook has to allow it,
 * also where the write changes a field that cannot be changed.
 */
export function isTopologyDryRun({ request }: Admission): boolean {
  const { annotations = {} } = request.object?.metadata ?? {};
  return request.dryRun === true && topologyDryRunAnnotation in annotations;
}
