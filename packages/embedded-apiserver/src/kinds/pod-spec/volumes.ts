import type { Volume } from "@rookery/api";
import { dns1123Label } from "../meta/checks.ts";
import { required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { volumeSource } from "./volume-sources.ts";

const volumeName = required(dns1123Label);

/**
 * Go: ValidateVolumes. Returns the volumes without an error, by name: containers can mount these.
 * `podName` is "" in a template.
 */
export function checkVolumes(
  volumes: readonly Volume[],
  podName: string,
  field: Field,
): ReadonlyMap<string, Volume> {
  const valid = new Map<string, Volume>();
  const created = createdClaims(volumes, podName);
  volumes.forEach((volume, i) => {
    const { name = "", persistentVolumeClaim: claim } = volume;
    const at = field.index(i);
    const before = field.errorCount;
    volumeSource(volume, at);
    volumeName(name, at.child("name"));
    if (valid.has(name)) at.child("name").duplicate(name);
    if (field.errorCount === before) valid.set(name, volume);
    foreignClaim(claim?.claimName ?? "", created, at.child("persistentVolumeClaim", "claimName"));
  });
  return valid;
}

/** The names of the claims that ephemeral volumes of the pod will make. */
function createdClaims(volumes: readonly Volume[], podName: string): ReadonlySet<string> {
  const ephemeral = volumes.filter((volume) => volume.ephemeral !== undefined);
  return new Set(podName === "" ? [] : ephemeral.map(({ name }) => `${podName}-${name}`));
}

function foreignClaim(name: string, created: ReadonlySet<string>, field: Field): void {
  if (!created.has(name)) return;
  field.invalid(name, "must not reference a PVC that gets created for an ephemeral volume");
}
