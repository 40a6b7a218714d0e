import { messageEdits } from "../forms/message-edits.ts";
import type { RenamerOptions } from "./field-rule.ts";

const matchConditions = "spec.matchConditions[].expression";
const policy = [matchConditions, "spec.variables[].expression"];
const webhooks = ["webhooks[].matchConditions[].expression"];

/** Where kinds of admissionregistration.k8s.io hold CEL, which is never renamed. */
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

/** Expressions come again with each list and watch. */
const remembered = 1000;

/** Warns once of each group that CEL names; undefined where nobody listens. */
export function createCelWarning({
  mapping,
  onWarning,
}: RenamerOptions): ((text: string, kind: string) => void) | undefined {
  if (onWarning === undefined) return undefined;
  const warned = new Set<string>();
  return (text, kind) => {
    for (const { start, end, text: other } of messageEdits(text, mapping)) {
      const warning = `could not rename ${text.slice(start, end)} in CEL of a ${kind}: expressions stay as they are; write it so that ${other} is meant as well`;
      if (warned.has(warning) || warned.size >= remembered) continue;
      warned.add(warning);
      onWarning(warning);
    }
  };
}
