import type { BuiltInCustomResourceDefinition } from "@rookery/api";
import { deepCopy, type FieldError, invalidError } from "@rookery/kube";
import { customResourceDefinitionKind as kind } from "../../../src/kinds/apiextensions/custom-resource-definition.ts";

/** What becomes of a CRD: stored so, or refused with these words. */
export type Verdict =
  | { readonly spec: unknown; readonly status: unknown; readonly warnings: readonly string[] }
  | { readonly refused: string };

/** What this kind says of a new CRD, or of a changed one. */
export function verdictOf(given: object, before?: object): Verdict {
  const crd: BuiltInCustomResourceDefinition = deepCopy(given);
  const old = before as BuiltInCustomResourceDefinition | undefined;
  kind.defaults?.(crd);
  if (old) kind.prepareForUpdate?.(crd, old);
  else kind.prepareForCreate?.(crd);
  const errors = (old ? kind.validateUpdate?.(crd, old) : kind.validate?.(crd)) ?? [];
  if (errors.length > 0) return { refused: refusalOf(crd, errors) };
  const { spec, status } = crd;
  return { spec, status, warnings: kind.warnings?.(crd, old) ?? [] };
}

function refusalOf(
  { metadata }: BuiltInCustomResourceDefinition,
  errors: readonly FieldError[],
): string {
  return invalidError(kind, metadata?.name ?? "", errors).message;
}
