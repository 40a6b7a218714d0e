/** One step of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly path: string; readonly from: string };

/**
 * A change of an object: steps, a merge patch (RFC 7386), or a strategic merge patch, which merges
 * lists by key and which custom resources do not have.
 */
export type Patch =
  | { readonly type: "json"; readonly patch: readonly JsonPatchOperation[] }
  | { readonly type: "merge" | "strategic"; readonly patch: object };

export const applyContentType = "application/apply-patch+yaml";

export const patchContentTypes: Readonly<Record<Patch["type"], string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};
