import type { Volume } from "@rookery/api";
import { FieldError, type FieldPath, validateDns1123Label } from "@rookery/kube";
import { invalidEach } from "../meta/field-rules.ts";
import { validateVolumeSource } from "./volume-sources.ts";

export interface CheckedVolumes {
  readonly problems: readonly FieldError[];
  /** Those without a problem, by name: what containers can mount. */
  readonly valid: ReadonlyMap<string, Volume>;
}

/** Looks at the volumes of a pod; `podName` is "" in a template. */
export function checkVolumes(
  volumes: readonly Volume[],
  podName: string,
  path: FieldPath,
): CheckedVolumes {
  const valid = new Map<string, Volume>();
  const created = createdClaims(volumes, podName);
  const problems = volumes.flatMap((volume, i) => {
    const found = validateVolume(volume, valid, path.index(i));
    if (found.length === 0) valid.set(volume.name ?? "", volume);
    return [...found, ...validateForeignClaim(volume, created, path.index(i))];
  });
  return { problems, valid };
}

function validateVolume(
  volume: Volume,
  valid: ReadonlyMap<string, Volume>,
  path: FieldPath,
): FieldError[] {
  const { name = "" } = volume;
  const at = path.child("name");
  return [
    ...validateVolumeSource(volume, path),
    ...(name === ""
      ? [FieldError.required(at, "")]
      : invalidEach(name, validateDns1123Label(name), at)),
    ...(valid.has(name) ? [FieldError.duplicate(at, name)] : []),
  ];
}

/** The names of the claims that ephemeral volumes of the pod will make. */
function createdClaims(volumes: readonly Volume[], podName: string): ReadonlySet<string> {
  const ephemeral = volumes.filter((volume) => volume.ephemeral !== undefined);
  return new Set(podName === "" ? [] : ephemeral.map(({ name }) => `${podName}-${name}`));
}

function validateForeignClaim(
  { persistentVolumeClaim: claim }: Volume,
  created: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const { claimName = "" } = claim ?? {};
  if (!created.has(claimName)) return [];
  const detail = "must not reference a PVC that gets created for an ephemeral volume";
  const at = path.child("persistentVolumeClaim", "claimName");
  return [FieldError.invalid(at, claimName, detail)];
}
