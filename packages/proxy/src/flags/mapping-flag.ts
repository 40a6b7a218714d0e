import { defaultSuffix, type FieldRule, type Form, type SuffixPair } from "@rookery/group-suffix";
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

interface Settings {
  readonly match: "suffix" | "group";
  readonly help: string;
}

const examples = {
  suffix: "pinniped.dev=team1.example.com",
  group: "argoproj.io=argoproj.team1.example.com",
} as const;

/**
 * What the app says and what the cluster has, as virtual=real, one by one or with commas between. A
 * suffix by itself is for an app that speaks of Pinniped's.
 */
export function mappingFlag({ match, help }: Settings): Flag<readonly SuffixPair[]> {
  const readPair = (text: string): SuffixPair => {
    const [, virtual, real] = /^([^=]+)=([^=]+)$/.exec(text.trim()) ?? [];
    if (virtual !== undefined && real !== undefined) return { virtual, real, match };
    if (match === "suffix" && /^[^=]+$/.test(text)) {
      return { virtual: defaultSuffix, real: text, match };
    }
    const form = `it must say what the app calls it and what the cluster does, as ${examples[match]}`;
    throw new FlagValueError(text, form);
  };
  return {
    help,
    valueName: "app=cluster",
    parse: (values) => values.flatMap((value) => value.split(",")).map(readPair),
  };
}
