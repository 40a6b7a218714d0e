import { type FieldError, invalidError, type KubeObject, type Resource } from "@rookery/kube";

/** Throws what Kubernetes says of an invalid object, where there are problems. */
export function refuse(
  resource: Resource,
  { metadata }: Pick<KubeObject, "metadata">,
  problems: readonly FieldError[],
): void {
  if (problems.length > 0) throw invalidError(resource, metadata.name ?? "", problems);
}
