import type { KeyToPath, ProjectedVolumeSource, VolumeProjection } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import { validateDownwardFile } from "./downward-api.ts";
import { validateFileMode, validateNonReservedPath } from "./paths.ts";

const tenMinutes = 600;

/** Where the keys of a ConfigMap or a Secret go. */
export function validateKeyToPath(
  { key = "", path: target = "", mode }: KeyToPath,
  path: FieldPath,
): FieldError[] {
  return [
    ...(key === "" ? [FieldError.required(path.child("key"), "")] : []),
    ...(target === "" ? [FieldError.required(path.child("path"), "")] : []),
    ...validateNonReservedPath(target, path.child("path")),
    ...validateFileMode(mode, path.child("mode")),
  ];
}

export function validateProjected(source: ProjectedVolumeSource, path: FieldPath): FieldError[] {
  const projection = new Projection(path);
  const sources = source.sources ?? [];
  return [
    ...validateFileMode(source.defaultMode, path.child("defaultMode")),
    ...sources.flatMap((each, i) => projection.validate(each, path.child("sources").index(i))),
  ];
}

/** Looks at the sources one after the other, and remembers which paths are taken. */
class Projection {
  readonly #path: FieldPath;
  readonly #taken = new Set<string>();

  constructor(path: FieldPath) {
    this.#path = path;
  }

  validate(source: VolumeProjection, path: FieldPath): FieldError[] {
    const { secret, configMap } = source;
    const problems = [
      ...(secret === undefined ? [] : this.#validateKeys(secret, path.child("secret"))),
      ...(configMap === undefined ? [] : this.#validateKeys(configMap, path.child("configMap"))),
      ...this.#validateDownwardApi(source, path.child("downwardAPI")),
      ...this.#validateToken(source, path.child("serviceAccountToken")),
    ];
    const kinds = Object.values(source).filter((each) => each != null);
    if (kinds.length <= 1) return problems;
    const detail = "may not specify more than 1 volume type per source";
    return [...problems, FieldError.forbidden(path, detail)];
  }

  #validateKeys(source: { name?: string; items?: KeyToPath[] }, path: FieldPath): FieldError[] {
    const { name = "", items = [] } = source;
    return [
      ...(name === "" ? [FieldError.required(path.child("name"), "")] : []),
      ...items.flatMap((item, i) => [
        ...validateKeyToPath(item, path.child("items").index(i)),
        ...this.#take(item.path ?? "", name),
      ]),
    ];
  }

  #validateDownwardApi({ downwardAPI }: VolumeProjection, path: FieldPath): FieldError[] {
    return (downwardAPI?.items ?? []).flatMap((file) => [
      ...validateDownwardFile(file, path),
      ...this.#take(file.path ?? "", file.path ?? ""),
    ]);
  }

  #validateToken({ serviceAccountToken: token }: VolumeProjection, path: FieldPath): FieldError[] {
    if (token === undefined) return [];
    const { expirationSeconds: seconds = 0, path: target = "" } = token;
    const at = path.child("expirationSeconds");
    const problems = [];
    if (seconds < tenMinutes) {
      const detail = "may not specify a duration less than 10 minutes";
      problems.push(FieldError.invalid(at, seconds, detail));
    }
    if (seconds > 2 ** 32) {
      const detail = "may not specify a duration larger than 2^32 seconds";
      problems.push(FieldError.invalid(at, seconds, detail));
    }
    if (target === "") return [...problems, FieldError.required(this.#path.child("path"), "")];
    return [...problems, ...validateNonReservedPath(target, this.#path.child("path"))];
  }

  #take(target: string, shown: string): FieldError[] {
    if (target === "") return [];
    if (this.#taken.has(target)) {
      return [FieldError.invalid(this.#path, shown, "conflicting duplicate paths")];
    }
    this.#taken.add(target);
    return [];
  }
}
