/** The kinds of patches, by their content types. */
export const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategicMerge: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

export type PatchType = (typeof patchTypes)[keyof typeof patchTypes];
