import type { BuiltInKind } from "../declaration/kind.ts";

type Names = Pick<
  BuiltInKind,
  "group" | "version" | "kind" | "plural" | "singular" | "goType" | "model"
>;

/**
 * The names of a kind in version v1 of its group. Go and OpenAPI have a package for each group, such as
 * "storage" for "storage.k8s.io", and "core" for the group without a name.
 */
export function kindNames(group: string, kind: string, plural: string): Names {
  const [folder = ""] = (group || "core").split(".");
  return {
    group,
    version: "v1",
    kind,
    plural,
    singular: kind.toLowerCase(),
    goType: `k8s.io/api/${folder}/v1.${kind}`,
    model: `io.k8s.api.${folder}.v1.${kind}`,
  };
}
