import { defaultSuffix, type FieldRule, type Form, type SuffixPair } from "@rookery/group-suffix";
import { type Flag, FlagValueError, stringFlag } from "@rookery/runtime";

/** A text flag that is "" by default. */
export function textFlag(help: string): Flag<string> {
  return stringFlag({ default: "", help });
}

/** The forms for fields of apps; the others are for Kubernetes' kinds. */
const forms = ["group", "apiVersion", "resourceName"] as const satisfies readonly Form[];

const example =
  "login.concierge.pinniped.dev/TokenCredentialRequest:spec.authenticator.apiGroup:group";

/** Fields of the app's own kinds that name a group. */
export const rulesFlag: Flag<readonly FieldRule[]> = {
  help: "A field of the app's own kinds that names a group, as group/Kind:path:form. May be repeated.",
  valueName: "rule",
  parse: (values) => values.map(readRule),
};

function readRule(text: string): FieldRule {
  const [, group, kind, path, word] = /^([^/:]*)\/([^/:]+):([^:]+):([^:]+)$/.exec(text) ?? [];
  if (group === undefined || kind === undefined || path === undefined) {
    throw new FlagValueError(text, `it must be group/Kind:path:form, as ${example}`);
  }
  const form = forms.find((one) => one === word);
  if (!form) throw new FlagValueError(text, `its form must be ${forms.join(", ")}`);
  return { group, kind, path, form };
}

interface MappingSettings {
  readonly match: "suffix" | "group";
  readonly help: string;
}

const examples = {
  suffix: "pinniped.dev=team1.example.com",
  group: "argoproj.io=argoproj.team1.example.com",
} as const;

/**
 * The names of the app and the cluster as virtual=real, separated by commas. A suffix alone is for
 * apps with Pinniped's groups.
 */
export function mappingFlag({ match, help }: MappingSettings): Flag<readonly SuffixPair[]> {
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

export const groupMappingFlag = mappingFlag({
  match: "group",
  help: "A whole group and its name in the cluster, as argoproj.io=argoproj.team1.example.com. May be repeated.",
});

interface ChoiceSettings<T extends string> {
  readonly choices: readonly [T, ...T[]];
  readonly help: string;
}

/** One of a few words; the last value counts, as in Go. */
export function choiceFlag<const T extends string>({ choices, help }: ChoiceSettings<T>): Flag<T> {
  return {
    help,
    valueName: choices.join("|"),
    defaultText: choices[0],
    parse(values) {
      const given = values.at(-1);
      if (given === undefined) return choices[0];
      const choice = choices.find((one) => one === given);
      if (choice) return choice;
      throw new FlagValueError(given, `it must be ${choices.join(" or ")}`);
    },
  };
}
