import { describeJsonError } from "@rookery/apiserver";
import { parseYaml } from "@rookery/yaml";
import { WebhookCallError } from "../errors.ts";

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** An object in JSON or YAML. Throws a WebhookCallError in Go's words where it is none. */
export function parseAnswer(text: string): object {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw unreadable(`json: cannot unmarshal ${goTypeOf(value)} into Go value of type ${typeMeta}`);
}

/** What is no JSON may be YAML, in which almost any text is a text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseAsYaml(text);
  }
}

function parseAsYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    throw unreadable(describeJsonError(text));
  }
}

function unreadable(why: string): WebhookCallError {
  return new WebhookCallError(`couldn't get version/kind; json parse error: ${why}`);
}

function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
