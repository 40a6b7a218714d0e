import {
  applyJsonPatch,
  badRequestError,
  type JsonPatchOperation,
  requestEntityTooLargeError,
} from "@rookery/kube";
import { decodeText } from "../codec/decode-text.ts";
import { duplicateFields } from "../codec/duplicate-fields.ts";
import { jsonTypeOf } from "../codec/json-error.ts";
import { completePatched, type Touched, touchPointer } from "./complete-patched.ts";
import { applyPatch, type Patcher, type PatchRequest, parsePatch } from "./patch-request.ts";

const maxOperations = 10_000;
const members = ["op", "path", "from", "value"];
const texts = ["op", "path", "from"];

/** RFC 6902 with kube-apiserver's limits and wording. */
export function jsonPatcher(patch: PatchRequest): Patcher {
  return async (current) => {
    const { operations, strictProblems } = parseOperations(patch);
    const value = applyPatch(() => applyJsonPatch(current, operations), 422);
    return completePatched(patch, {
      value,
      current,
      touched: touchedBy(operations),
      strictProblems,
    });
  };
}

function parseOperations({ body, options }: PatchRequest) {
  const text = decodeText(body);
  const isStrict = options.fieldValidation !== "Ignore";
  const refuse = (why: string) => badRequestError(isStrict ? `error decoding patch: ${why}` : why);
  const value = parsePatch(text, refuse) ?? [];
  const problem = typeProblem(value, isStrict);
  if (problem !== undefined) throw refuse(problem);
  const operations = value as readonly JsonPatchOperation[];
  if (operations.length > maxOperations) {
    throw requestEntityTooLargeError(
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    );
  }
  return { operations, strictProblems: isStrict ? strictProblemsOf(operations, text) : [] };
}

function typeProblem(value: unknown, isStrict: boolean): string | undefined {
  const unreadable = (what: unknown, into: string) =>
    `json: cannot unmarshal ${jsonTypeOf(what)} into ${into}`;
  if (!Array.isArray(value)) {
    const list = isStrict ? "[]handlers.jsonPatchOp" : "jsonpatch.Patch";
    return unreadable(value, `Go value of type ${list}`);
  }
  const other = value.find((item) => item !== null && jsonTypeOf(item) !== "object");
  if (other !== undefined) {
    const item = isStrict ? "handlers.jsonPatchOp" : "jsonpatch.Operation";
    return unreadable(other, `Go value of type ${item}`);
  }
  if (!isStrict) return undefined;
  for (const operation of value as readonly (Record<string, unknown> | null)[]) {
    const name = texts.find((each) => operation && !isTextOrNothing(operation[each]));
    if (name === undefined) continue;
    return unreadable(operation?.[name], `Go struct field jsonPatchOp.${name} of type string`);
  }
  return undefined;
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}

function strictProblemsOf(operations: readonly object[], text: string): string[] {
  const unknown = operations.flatMap((operation, index) =>
    Object.keys(operation ?? {})
      .filter((name) => !members.includes(name))
      .map((name) => `unknown field "[${index}].${name}"`),
  );
  const twice = duplicateFields(text).map((path) => `duplicate field "${path}"`);
  return [...unknown, ...twice].map((problem) => `json patch ${problem}`);
}

function touchedBy(operations: readonly JsonPatchOperation[]): Touched {
  const touched: Touched = new Map();
  for (const operation of operations) {
    for (const pointer of [operation.path, "from" in operation ? operation.from : undefined]) {
      if (typeof pointer === "string") touchPointer(touched, pointer);
    }
  }
  return touched;
}
