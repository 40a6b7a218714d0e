import {
  applyStrategicMergePatch,
  badRequestError,
  type KubeObject,
  printValue,
} from "@rookery/kube";
import { decodeText } from "../codec/decode-text.ts";
import { duplicateFieldProblems } from "../codec/duplicate-fields.ts";
import { completeObject } from "./decode.ts";
import { patchSchemaOf, trackManagedFields } from "./managed-fields.ts";
import {
  applyPatch,
  assertJsonObject,
  type Patcher,
  type PatchRequest,
  parsePatch,
  unreadableResult,
} from "./patch-request.ts";

/** Strategic merge patch, for kinds with a patch schema. */
export function strategicPatcher(patch: PatchRequest): Patcher {
  const { exchange, request, options } = patch;
  return async (current) => {
    const { changes, strictProblems } = parseChanges(patch);
    const patched = apply(current, changes, patch);
    const { scope } = exchange;
    const { apiVersion, kind } = current ?? patched;
    const object = completeObject(
      { ...patched, apiVersion, kind },
      {
        scope,
        fieldValidation: options.fieldValidation,
        warn: request.warn,
        strictProblems,
        ordersUnknown: true,
        refuse: (why) => unreadableResult(printValue(changes), conversionProblem(why)),
      },
    );
    return trackManagedFields(exchange, options, { object, current });
  };
}

function parseChanges({ body, options }: PatchRequest) {
  const text = decodeText(body);
  const changes = parsePatch(text, badRequestError) ?? {};
  assertJsonObject(changes, badRequestError);
  const isStrict = options.fieldValidation !== "Ignore";
  const strictProblems = isStrict ? duplicateFieldProblems(text) : [];
  return { changes: changes as object, strictProblems };
}

function apply(
  current: KubeObject | undefined,
  changes: object,
  { exchange }: PatchRequest,
): KubeObject {
  const schema = patchSchemaOf(exchange.scope) ?? { field: () => undefined };
  const merged = applyPatch(() => applyStrategicMergePatch(current ?? {}, changes, schema));
  return merged as unknown as KubeObject;
}

/** Go's converter of maps has other type names. */
const kinds: Readonly<Record<string, string>> = {
  string: "string",
  number: "int64",
  bool: "bool",
  array: "slice",
  object: "map",
};

/** A type error as Go's converter of maps reports it, from the JSON error. */
export function conversionProblem(why: string): string {
  const found = /^json: cannot unmarshal (\w+)(?: (\S+))? into Go .* of type (\S.*)$/.exec(why);
  if (found === null) return why;
  const [, word = "", literal = "", type = ""] = found;
  const kind = /[.eE]/.test(literal) ? "float64" : (kinds[word] ?? word);
  if (type.startsWith("[]")) return `cannot restore slice from ${kind}`;
  if (type.startsWith("map[")) return `cannot restore map from ${kind}`;
  if (/^u?int\d*$/.test(type)) return numberProblem(kind, type);
  if (type === "string" && kind === "int64") return `cannot convert ${kind} to ${type}`;
  if (/^(?:string|bool|float\d+)$/.test(type)) return `unrecognized type: ${type}`;
  return `cannot restore struct from: ${kind}`;
}

function numberProblem(kind: string, type: string): string {
  return kind === "float64" ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${type}`;
}
