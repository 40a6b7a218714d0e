import type { FieldRule, Form } from "@rookery/group-suffix";
import { type Flag, FlagValueError } from "@rookery/runtime";

/** The forms that a field of an app may have; the others are for Kubernetes' own kinds. */
const forms = ["group", "apiVersion", "resourceName"] as const satisfies readonly Form[];

const example =
  "login.concierge.pinniped.dev/TokenCredentialRequest:spec.authenticator.apiGroup:group";

/** Fields of the app's own kinds that name a group. */
export function rulesFlag({ help }: { readonly help: string }): Flag<readonly FieldRule[]> {
  return { help, valueName: "rule", parse: (values) => values.map(readRule) };
}

function readRule(text: string): FieldRule {
  const [, group, kind, path, word] = /^([^/:]*)\/([^/:]+):([^:]+):([^:]+)$/.exec(text) ?? [];
  if (group === undefined || kind === undefined || path === undefined) {
    throw new FlagValueError(text, `it must be group/Kind:path:form, as ${example}`);
  }
  const form = forms.find((one) => one === word);
  if (!form) throw new FlagValueError(text, `its form must be ${forms.join(", ")}`);
  return { group, kind, path, form };
}
