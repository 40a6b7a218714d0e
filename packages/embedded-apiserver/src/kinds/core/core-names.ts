import type { BuiltInKind } from "../declaration/kind.ts";

type Names = Pick<
  BuiltInKind,
  "group" | "version" | "kind" | "plural" | "singular" | "goType" | "model"
>;

/** What a kind of the core group is called. */
export function coreNames(kind: string, plural: string): Names {
  return {
    group: "",
    version: "v1",
    kind,
    plural,
    singular: kind.toLowerCase(),
    goType: `k8s.io/api/core/v1.${kind}`,
    model: `io.k8s.api.core.v1.${kind}`,
  };
}
