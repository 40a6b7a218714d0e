import type { Event } from "@rookery/api";
import { dns1123Subdomain, qualifiedName } from "../meta/checks.ts";
import { required } from "../meta/combinators.ts";
import { type Rule, ruleOf } from "../meta/rules.ts";

/** Events of objects without a namespace may lie in these. */
const systemNamespaces = ["default", "kube-system"];

/** The error does not show the text. */
function shortText(maxBytes: number): Rule<string | undefined> {
  return (text, field) => {
    if (Buffer.byteLength(text ?? "") <= maxBytes) return;
    field.invalid("", `can have at most ${maxBytes} characters`);
  };
}

const texts = ruleOf<Event>({
  reportingInstance: [required(), shortText(128)],
  action: [required(), shortText(128)],
  reason: [required(), shortText(128)],
  message: shortText(1024),
});
const controllerName = ruleOf<string | undefined>([required(), qualifiedName]);

/**
 * Go: ValidateEventCreate and legacyValidateEvent, in the form of the core group. The controller is a
 * field with another name in each group.
 */
export function eventRules(controllerField: string): Rule<Event> {
  return (event, field) => {
    const { namespace = "" } = event.metadata ?? {};
    const { namespace: involved = "" } = event.involvedObject ?? {};
    const isForeign = event.eventTime
      ? involved === "" && !systemNamespaces.includes(namespace)
      : !(involved === "" ? ["", "default"] : [involved]).includes(namespace);
    const at = field.child("involvedObject", "namespace");
    if (isForeign) at.invalid(involved, "does not match event.namespace");
    if (event.eventTime) {
      controllerName(event.reportingComponent, field.child(controllerField));
      texts(event, field);
    }
    dns1123Subdomain(namespace, field.child("namespace"));
  };
}
