import { type CelPlace, celEdits } from "../forms/cel-edits.ts";
import type { TextEdit } from "../forms/form.ts";
import type { RenamerOptions } from "./field-rule.ts";

const matchConditions = "spec.matchConditions[].expression";
const policy = [matchConditions, "spec.variables[].expression"];
const webhooks = ["webhooks[].matchConditions[].expression"];

/** The fields with CEL of kinds in admissionregistration.k8s.io. */
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

export type RenameCel = (text: string, place: CelPlace, kind: string) => readonly TextEdit[];

/** Renames certain mentions, and warns about each other mention of a mapped group. */
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
