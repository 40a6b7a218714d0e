import type { KubeObject } from "@rookery/kube";
import { type Revision, revisionName } from "./revision.ts";

/** The name of the revision that a workload is to run. */
const revisionAnnotation = "nested.rookery.dev/revision";
/** The last revision that became ready, as JSON, for a roll-back. */
const lastGoodAnnotation = "nested.rookery.dev/last-good";

/** The annotations with the revisions of a workload. */
export function revisionAnnotations(
  revision: Revision,
  lastGood: Revision | undefined,
): Record<string, string> {
  return {
    [revisionAnnotation]: revisionName(revision),
    ...(lastGood && { [lastGoodAnnotation]: JSON.stringify(lastGood) }),
  };
}

export function runningRevisionName({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[revisionAnnotation];
}

export function lastGoodRevision({ metadata }: KubeObject): Revision | undefined {
  const text = metadata.annotations?.[lastGoodAnnotation];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Another writer has changed the annotation: there is no revision to roll back to.
    return undefined;
  }
}

/** An object with more annotations than it has. */
export function withAnnotations<T extends KubeObject>(
  object: T,
  annotations: Readonly<Record<string, string>>,
): T {
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
  };
}
