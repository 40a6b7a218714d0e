import type { Event } from "@rookery/api";
import { dns1123Subdomain, qualifiedName } from "../meta/checks.ts";
import { required } from "../meta/combinators.ts";
import { type Rule, ruleOf } from "../meta/rules.ts";

/** The namespaces of events of cluster-scoped objects. */
const systemNamespaces = ["default", "kube-system"];

/** The error does not contain the text. */
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
 * Go: ValidateEventCreate and legacyValidateEvent, of an event of the core group. `controllerField` is
 * the name of the controller's field in errors.
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
