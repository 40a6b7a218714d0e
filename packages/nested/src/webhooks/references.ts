import { FieldError, type FieldPath } from "@rookery/kube";

interface Reference {
  readonly namespace?: string;
}

/** The problem of a reference into another namespace: owners have to be beside what they own. */
export function referenceProblems(
  reference: Reference | undefined,
  namespace: string,
  path: FieldPath,
): FieldError[] {
  const named = reference?.namespace;
  if (!named || named === namespace) return [];
  const why = `must be the namespace of the object, ${namespace}, or left out`;
  return [FieldError.invalid(path.child("namespace"), named, why)];
}
