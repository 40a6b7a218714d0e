import { type FieldError, invalidError, type KubeObject, type Resource } from "@rookery/kube";

/** Throws the Invalid error of Kubernetes, where there are problems. */
export function refuse(
  resource: Resource,
  { metadata }: Pick<KubeObject, "metadata">,
  problems: readonly FieldError[],
): void {
  if (problems.length > 0) throw invalidError(resource, metadata.name ?? "", problems);
}
