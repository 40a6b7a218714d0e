import { defaultSuffix, type SuffixPair } from "@rookery/group-suffix";
import { type Flag, FlagValueError } from "@rookery/runtime";

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
