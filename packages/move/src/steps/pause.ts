import { type Client, ignoreNotFound } from "@rookery/client";
import { pausedAnnotation } from "@rookery/cluster-api";
import { formatGroupKind, type ObjectKey, type Resource } from "@rookery/kube";
import { clusterKind } from "../graph/moved-node.ts";
import { fieldManager } from "../names.ts";
import { inParallel } from "./in-parallel.ts";
import { retry } from "./retry.ts";

/** A Cluster or a ClusterClass. */
export interface Pausable {
  readonly resource: Resource;
  readonly key: ObjectKey;
}

/** Pauses or resumes clusters and classes; deleted ones are not resumed. */
export async function setPaused(
  client: Client,
  pausables: readonly Pausable[],
  paused: boolean,
): Promise<void> {
  await inParallel(pausables, async ({ resource, key }) => {
    const patch = pausePatch(resource, paused);
    const patched = retry(() =>
      client.resource(resource).patch(key, { type: "merge", patch }, { fieldManager }),
    );
    await (paused ? patched : ignoreNotFound(patched));
  });
}

/** With null, the field has no owner. */
function pausePatch(resource: Resource, paused: boolean): object {
  if (formatGroupKind(resource) === clusterKind) return { spec: { paused: paused ? true : null } };
  return { metadata: { annotations: { [pausedAnnotation]: paused ? "" : null } } };
}
