import type { ObjectMeta } from "@rookery/kube";

interface WithMetadata {
  readonly metadata: ObjectMeta;
}

/** The object as it would be if nothing had been written since another state of it was read. */
export function withGenerationOf<T extends WithMetadata>(object: T, read: WithMetadata): T {
  const { generation } = read.metadata;
  if (generation === undefined) return object;
  return { ...object, metadata: { ...object.metadata, generation } };
}
