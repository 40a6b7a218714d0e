import { UnsafeManifestError } from "./errors.ts";
import { clusterScopedKind, isRbac, type ServedName } from "./kinds.ts";
import { groupOf, type Manifest, nameOf } from "./manifest.ts";
import { podSpecOf, updatePodSpec } from "./pods.ts";
import { type Fields, isFields, updateAt, updateText } from "./update-at.ts";

/** The instance's names of shared objects. */
export interface UniqueNames {
  /** The instance's name of an object; unchanged for foreign objects. */
  readonly of: (kind: string, name: string) => string;
  readonly rename: (manifest: Manifest) => Manifest;
  /** Renames references. */
  readonly follow: (manifest: Manifest) => Manifest;
}

/** For instances that share cluster-scoped objects. */
export const sharedNames: UniqueNames = {
  of: (_, name) => name,
  rename: (manifest) => manifest,
  follow: (manifest) => manifest,
};

interface UniqueNamesOptions {
  readonly isOutside: (manifest: Manifest) => boolean;
  readonly clusterScopedKinds?: readonly ServedName[];
}

/**
 * Adds the instance as a suffix to the names of cluster-scoped objects, and of Roles outside of
 * the app's namespace. Errors: UnsafeManifestError for names that cannot change.
 */
export function createUniqueNames(
  manifests: readonly Manifest[],
  instance: string,
  { isOutside, clusterScopedKinds = [] }: UniqueNamesOptions,
): UniqueNames {
  const pluralOf = (manifest: Manifest) => {
    const plural = pluralToRename(manifest, isOutside(manifest));
    if (plural !== undefined || clusterScopedKind(manifest)) return plural;
    const group = groupOf(manifest);
    return clusterScopedKinds.find((one) => one.kind === manifest.kind && one.group === group)
      ?.plural;
  };
  const renamed = new Map<string, string>();
  const plurals = new Map<string, string>();
  for (const manifest of manifests) {
    const plural = pluralOf(manifest);
    if (plural === undefined) continue;
    renamed.set(keyOf(manifest.kind, nameOf(manifest)), `${nameOf(manifest)}-${instance}`);
    plurals.set(plural, manifest.kind);
  }
  const of = (kind: string, name: string) => renamed.get(keyOf(kind, name)) ?? name;
  return {
    of,
    rename: (manifest) => {
      if (pluralOf(manifest) === undefined) return manifest;
      const field = manifest.metadata.name === undefined ? "generateName" : "name";
      return updateAt(manifest, ["metadata", field], (name) => `${name}-${instance}`);
    },
    follow: (manifest) =>
      followResourceNames(followTyped(followNames(manifest, of), of), { of, plurals }),
  };
}

const keyOf = (kind: string, name: string) => `${kind}/${name}`;

/** The plural of a renamed kind. */
function pluralToRename(manifest: Manifest, outside: boolean): string | undefined {
  const known = clusterScopedKind(manifest);
  if (known?.naming === "suffix") return known.plural;
  if (known?.naming === "fixed") {
    const why = `all instances would share it, since its name says what it stands for; leave it out and apply it once`;
    throw new UnsafeManifestError(manifest, why);
  }
  if (!outside) return undefined;
  if (isRbac(manifest, "Role", "RoleBinding")) return `${manifest.kind.toLowerCase()}s`;
  const why = "it lives outside of the app's own namespace, where all instances would share it";
  throw new UnsafeManifestError(manifest, `${why}; leave it out and apply it once`);
}

type Naming = UniqueNames["of"];

/** A field with the name of a cluster-scoped object, and that object's kind. */
type NameField = readonly [path: string, kind: string];

const nameFields: ReadonlyMap<string, readonly NameField[]> = new Map([
  [
    "PersistentVolumeClaim",
    [
      ["spec.storageClassName", "StorageClass"],
      ["spec.volumeName", "PersistentVolume"],
      ["spec.volumeAttributesClassName", "VolumeAttributesClass"],
    ],
  ],
  ["PersistentVolume", [["spec.storageClassName", "StorageClass"]]],
  ["StatefulSet", [["spec.volumeClaimTemplates[].spec.storageClassName", "StorageClass"]]],
  ["Ingress", [["spec.ingressClassName", "IngressClass"]]],
  ["ValidatingAdmissionPolicyBinding", [["spec.policyName", "ValidatingAdmissionPolicy"]]],
  ["MutatingAdmissionPolicyBinding", [["spec.policyName", "MutatingAdmissionPolicy"]]],
  ["FlowSchema", [["spec.priorityLevelConfiguration.name", "PriorityLevelConfiguration"]]],
]);
const podFields: readonly NameField[] = [
  ["priorityClassName", "PriorityClass"],
  ["runtimeClassName", "RuntimeClass"],
];

function followNames(manifest: Manifest, of: Naming): Manifest {
  const follow = <T>(value: T, [path, kind]: NameField): T =>
    updateText(value, path, (name) => of(kind, name));
  const followed = (nameFields.get(manifest.kind) ?? []).reduce(follow, manifest);
  if (!podSpecOf(followed)) return followed;
  return updatePodSpec(followed, (spec) => podFields.reduce(follow, spec));
}

/** References with a kind. */
function followTyped(manifest: Manifest, of: Naming): Manifest {
  const follow = (reference: unknown): unknown => {
    if (!isFields(reference)) return reference;
    return updateText(reference, "name", (name) => of(`${reference.kind}`, name));
  };
  return updateAt(updateAt(manifest, "roleRef", follow), "spec.issuerRef", follow);
}

/** Rights by resource name. */
function followResourceNames(
  manifest: Manifest,
  names: { readonly of: Naming; readonly plurals: ReadonlyMap<string, string> },
): Manifest {
  if (!isRbac(manifest, "Role", "ClusterRole")) return manifest;
  return updateAt(manifest, "rules[]", (rule) => {
    const resources = (rule as Fields).resources;
    const kinds = (Array.isArray(resources) ? resources : []).flatMap(
      (resource) => names.plurals.get(`${resource}`) ?? [],
    );
    return updateText(rule, "resourceNames[]", (name) => {
      const kind = kinds.find((candidate) => names.of(candidate, name) !== name);
      return kind === undefined ? name : names.of(kind, name);
    });
  });
}
