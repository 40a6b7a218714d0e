import { badRequestError, type KubeObject } from "@rookery/kube";
import { DecodeError } from "../codec/decode-error.ts";
import { findInexactInteger, inexactInteger } from "../codec/number-literals.ts";
import { parseYaml } from "../codec/parse-yaml.ts";
import { unclassifiedError } from "../errors.ts";
import { completeObject } from "./decode.ts";
import { fieldChangeOf, fieldManagerOf } from "./managed-fields.ts";
import {
  assertJsonObject,
  assertShallow,
  type Patcher,
  type PatchRequest,
} from "./patch-request.ts";

/** Server-side apply of YAML; the object may not exist. */
export function applyPatcher(patch: PatchRequest): Patcher {
  const { exchange, request, options } = patch;
  const { scope } = exchange;
  return async (current) => {
    const { wanted, problem } = parseWanted(patch);
    const change = { ...fieldChangeOf(exchange, options), force: options.force ?? false };
    const applied = await fieldManagerOf(scope)?.apply(wanted, current, change);
    if (applied === undefined) throw badRequestError("apply is not supported");
    if (problem !== undefined) report(problem, patch);
    return completeObject(applied, {
      scope,
      fieldValidation: "Ignore",
      warn: request.warn,
      refuse: unclassifiedError,
    });
  };
}

function parseWanted({ body, options }: PatchRequest) {
  const { value, strictProblems, literals } = read(body, options.fieldValidation !== "Ignore");
  assertShallow(value);
  const inexact = literals && findInexactInteger(value, literals);
  if (inexact !== undefined)
    throw badRequestError(`error decoding YAML: ${inexactInteger(inexact)}`);
  const prefix = "error decoding YAML: error unmarshaling JSON: while decoding JSON";
  assertJsonObject(value, (why) => badRequestError(`${prefix}: ${why}`));
  return { wanted: (value ?? {}) as KubeObject, problem: strictProblems[0] };
}

function read(body: Uint8Array, isStrict: boolean) {
  try {
    return parseYaml(body, isStrict);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const why = /^(?:yaml|json): /.test(error.message)
      ? `error converting YAML to JSON: ${error.message}`
      : error.message;
    throw badRequestError(`error decoding YAML: ${why}`);
  }
}

/** Reports duplicate keys, after other errors of the apply. */
function report(problem: string, { request, options }: PatchRequest): void {
  if (options.fieldValidation === "Strict") {
    throw badRequestError(`error strict decoding YAML: error converting YAML to JSON: ${problem}`);
  }
  for (const line of problem.split("\n").slice(1)) request.warn(line.trim());
}
