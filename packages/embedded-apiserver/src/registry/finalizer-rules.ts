import {
  FieldError,
  type FieldPath,
  fieldPath,
  type ObjectMeta,
  validateQualifiedName,
} from "@rookery/kube";
import { invalidEach } from "../kinds/meta/field-rules.ts";

export const finalizers = { orphan: "orphan", foreground: "foregroundDeletion" } as const;

type Problems = FieldError[];

/** Go: ValidateFinalizers. */
export function finalizerProblems(names: readonly string[], field: FieldPath): Problems {
  const problems = names.flatMap((name) => invalidEach(name, validateQualifiedName(name), field));
  const { orphan, foreground } = finalizers;
  if (!names.includes(orphan) || !names.includes(foreground)) return problems;
  const detail = `finalizer ${orphan} and ${foreground} cannot be both set`;
  return [...problems, FieldError.invalid(field, names, detail)];
}

/** Problems of finalizers without a domain. */
export function unqualifiedFinalizers({ finalizers: names = [] }: ObjectMeta): Problems {
  const field = fieldPath("metadata", "finalizers");
  return names.flatMap((name, index) => unqualifiedProblems(name, field.index(index)));
}

/** Problems of a finalizer of a built-in kind. */
export function finalizerNameProblems(name: string, field: FieldPath): Problems {
  return [
    ...invalidEach(name, validateQualifiedName(name), field),
    ...unqualifiedProblems(name, field),
  ];
}

function unqualifiedProblems(name: string, field: FieldPath): Problems {
  if (name.includes("/") || standardFinalizers.includes(name)) return [];
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  return [FieldError.invalid(field, name, detail)];
}

const standardFinalizers: readonly string[] = [
  "kubernetes",
  finalizers.orphan,
  finalizers.foreground,
];
