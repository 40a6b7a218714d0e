import { applyMergePatch, badRequestError } from "@rookery/kube";
import { decodeText } from "../codec/decode-text.ts";
import { duplicateFieldProblems } from "../codec/duplicate-fields.ts";
import { completePatched, touchedByMerge } from "./complete-patched.ts";
import {
  applyPatch,
  assertJsonObject,
  type Patcher,
  type PatchRequest,
  parsePatch,
} from "./patch-request.ts";

/** RFC 7396 with kube-apiserver's wording. */
export function mergePatcher(patch: PatchRequest): Patcher {
  return async (current) => {
    const { merge, strictProblems } = parseMerge(patch);
    const value = applyPatch(() => applyMergePatch(current, merge));
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
  assertJsonObject(merge, refuse);
  return { merge, strictProblems: duplicateFieldProblems(text) };
}
