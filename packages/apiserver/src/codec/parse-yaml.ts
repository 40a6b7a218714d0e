import { isMap, isScalar, LineCounter, type Node, parseAllDocuments, visit } from "yaml";
import { DecodeError } from "./decode-error.ts";
import type { Parsed } from "./parse-json.ts";

/** Reads the first document of YAML 1.1, as Kubernetes does. Throws a DecodeError. */
export function parseYaml(body: Uint8Array, strict: boolean): Parsed {
  const lines = new LineCounter();
  const text = new TextDecoder().decode(body);
  const [document] = parseAllDocuments(text, {
    version: "1.1",
    // Times stay text: that is what JSON has.
    customTags: (tags) => tags.filter((tag) => typeof tag === "string" || tag.tag !== timestamp),
    uniqueKeys: false,
    lineCounter: lines,
  });
  if (document === undefined) return { value: null, strictProblems: [] };
  const [error] = document.errors;
  if (error) throw new DecodeError(describe(error), { cause: error });
  const duplicates = strict ? repeatedKeys(document.contents, lines) : [];
  return { value: toJson(document), strictProblems: duplicates };
}

const timestamp = "tag:yaml.org,2002:timestamp";

function toJson(document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    // Through JSON, so that nothing is left that JSON does not have.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 })));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DecodeError(`error converting YAML to JSON: yaml: ${why}`, { cause });
  }
}

function describe(error: { readonly message: string; readonly linePos?: unknown }): string {
  const [position] = (error.linePos ?? []) as readonly { readonly line: number }[];
  const [reason = ""] = error.message.split(/ at line \d+/);
  const why = `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  return `yaml: ${position ? `line ${position.line}: ` : ""}${why}`;
}

/** All in one text, as Kubernetes' strict reader reports them. */
function repeatedKeys(contents: unknown, lines: LineCounter): string[] {
  const found: string[] = [];
  visit(contents as Node, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of isMap(map) ? map.items : []) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          const { line } = lines.linePos(key.range?.[0] ?? 0);
          found.push(`  line ${line}: key ${JSON.stringify(key.value)} already set in map`);
        }
        seen.add(key.value);
      }
    },
  });
  return found.length === 0 ? [] : [`yaml: unmarshal errors:\n${found.join("\n")}`];
}
