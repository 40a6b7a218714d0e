import { type CelPlace, celEdits } from "../forms/cel-edits.ts";
import type { TextEdit } from "../forms/form.ts";
import type { RenamerOptions } from "./field-rule.ts";

const matchConditions = "spec.matchConditions[].expression";
const policy = [matchConditions, "spec.variables[].expression"];
const webhooks = ["webhooks[].matchConditions[].expression"];

/** Where kinds of admissionregistration.k8s.io hold CEL. */
export const celFields: Readonly<Record<string, readonly string[]>> = {
  MutatingWebhookConfiguration: webhooks,
  ValidatingWebhookConfiguration: webhooks,
  ValidatingAdmissionPolicy: [
    ...policy,
    "spec.validations[].expression",
    "spec.validations[].messageExpression",
    "spec.auditAnnotations[].valueExpression",
  ],
  MutatingAdmissionPolicy: [
    ...policy,
    "spec.mutations[].applyConfiguration.expression",
    "spec.mutations[].jsonPatch.expression",
  ],
};

/** What is renamed in an expression of a kind. */
export type RenameCel = (text: string, place: CelPlace, kind: string) => readonly TextEdit[];

/** Renames where that is certain, and warns of each group that the expression names besides. */
export function createCelRenamer({ mapping, onWarning }: RenamerOptions): RenameCel {
  return (text, place, kind) => {
    const { certain, uncertain } = celEdits(text, place, mapping);
    for (const { start, end } of uncertain) {
      onWarning?.(
        `could not rename ${text.slice(start, end)} in CEL of a ${kind}: a string is renamed where the whole of it is compared with request.kind.group, request.resource.group or the apiVersion of object, oldObject, params or self`,
      );
    }
    return certain;
  };
}
