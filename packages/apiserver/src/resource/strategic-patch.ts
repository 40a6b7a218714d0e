import {
  applyStrategicMergePatch,
  badRequestError,
  type KubeObject,
  PatchError,
  printValue,
} from "@rookery/kube";
import { decodeText } from "../codec/decode-text.ts";
import { duplicateFields } from "../codec/duplicate-fields.ts";
import { conversionProblem } from "./conversion-problem.ts";
import { completeObject } from "./decode.ts";
import { patchSchemaOf, withFieldAccount } from "./field-account.ts";
import {
  jsonTypeOf,
  type Patcher,
  type PatchRequest,
  parsePatch,
  patchFailure,
  unreadableResult,
} from "./patch-request.ts";

/** Kubernetes' own kind of patch, for kinds that say how their lists are merged. */
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
    return withFieldAccount(exchange, options, { object, current });
  };
}

function parseChanges({ body, options }: PatchRequest) {
  const text = decodeText(body);
  const changes = parsePatch(text, badRequestError) ?? {};
  const type = jsonTypeOf(changes);
  if (type !== "object") {
    const into = "Go value of type map[string]interface {}";
    throw badRequestError(`json: cannot unmarshal ${type} into ${into}`);
  }
  const isStrict = options.fieldValidation !== "Ignore";
  const twice = isStrict ? [...new Set(duplicateFields(text))] : [];
  const strictProblems = twice.map((path) => `duplicate field "${path}"`);
  return { changes: changes as object, strictProblems };
}

function apply(
  current: KubeObject | undefined,
  changes: object,
  { exchange }: PatchRequest,
): KubeObject {
  const schema = patchSchemaOf(exchange.scope) ?? { field: () => undefined };
  try {
    return applyStrategicMergePatch(current ?? {}, changes, schema) as unknown as KubeObject;
  } catch (error) {
    throw error instanceof PatchError ? patchFailure(error) : error;
  }
}
