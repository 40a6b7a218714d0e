import { FieldPath } from "@rookery/kube";
import type { SchemaNode } from "../../schema-node.ts";
import { QUOTED_ESCAPES } from "../syntax/literals.ts";

/** The tokens of `.spec['my.key']`: delimiters, quoted keys, and names. */
const TOKEN = /'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]]+/gy;

/** The fieldPath of a rule as errors show it; undefined for an unknown field. */
export function normalizeFieldPath(text: string, node: SchemaNode): string | undefined {
  const steps = readSteps(text);
  if (!steps) return undefined;
  let path = FieldPath.root;
  let current: SchemaNode | undefined = node;
  for (const step of steps) {
    if (current?.properties) {
      current = current.properties.get(step);
      if (!current) return undefined;
      path = path.child(step);
    } else if (current?.additionalProperties) {
      current = current.additionalProperties.schema;
      path = path.key(step);
    } else return undefined;
  }
  return path.toString();
}

function readSteps(text: string): readonly string[] | undefined {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.join("") !== text) return undefined;
  const steps: string[] = [];
  for (let i = 0; i < tokens.length; ) {
    const [open, name, close] = tokens.slice(i, i + 3);
    const step = open === "[" ? readKey(name, close) : open === "." ? name : undefined;
    if (step === undefined) return undefined;
    steps.push(step);
    i += open === "[" ? 3 : 2;
  }
  return steps;
}

function readKey(quoted: string | undefined, close: string | undefined): string | undefined {
  if (!quoted || close !== "]" || !/^'[\s\S]*'$/.test(quoted) || quoted.length < 2)
    return undefined;
  let valid = true;
  const key = quoted.slice(1, -1).replace(/\\([\s\S])/g, (_, letter: string) => {
    const text = QUOTED_ESCAPES[letter];
    valid &&= text !== undefined;
    return text ?? "";
  });
  return valid ? key : undefined;
}
