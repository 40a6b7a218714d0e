import { applyMergePatch, badRequestError, PatchError } from "@rookery/kube";
import { decodeText } from "../codec/decode-text.ts";
import { duplicateFields } from "../codec/duplicate-fields.ts";
import { completePatched } from "./complete-patched.ts";
import { touchedByMerge } from "./encode-patched.ts";
import {
  jsonTypeOf,
  type Patcher,
  type PatchRequest,
  parsePatch,
  patchFailure,
} from "./patch-request.ts";

/** RFC 7396, with kube-apiserver's words. */
export function mergePatcher(patch: PatchRequest): Patcher {
  return async (current) => {
    const { merge, strictProblems } = parseMerge(patch);
    const value = apply(current, merge);
    const touched = touchedByMerge(merge);
    return completePatched(patch, { value, current, touched, strictProblems });
  };
}

function parseMerge({ body, options }: PatchRequest) {
  const text = decodeText(body);
  if (options.fieldValidation === "Ignore") {
    const merge = parsePatch(text, () => badRequestError("Invalid JSON Patch"));
    return { merge, strictProblems: [] };
  }
  const refuse = (why: string) => badRequestError(`error decoding patch: ${why}`);
  const merge = parsePatch(text, refuse);
  const type = jsonTypeOf(merge);
  if (type !== "object") {
    throw refuse(`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
  }
  const twice = [...new Set(duplicateFields(text))];
  return { merge, strictProblems: twice.map((path) => `duplicate field "${path}"`) };
}

function apply(current: unknown, merge: unknown): unknown {
  try {
    return applyMergePatch(current, merge);
  } catch (error) {
    throw error instanceof PatchError ? patchFailure(error) : error;
  }
}
