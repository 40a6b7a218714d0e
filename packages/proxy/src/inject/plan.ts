import { createGroupMapping, type FieldRule, type GroupMapping } from "@rookery/group-suffix";
import type { NamespaceScope } from "@rookery/runtime";
import { type Callback, findCallbacks } from "./callbacks.ts";
import { clusterScopedKind, isCrd, isKind, type ServedName } from "./kinds.ts";
import { groupOf, type Manifest, nameOf } from "./manifest.ts";
import type { Move } from "./move-namespace.ts";
import { ownNamespace } from "./own-namespace.ts";
import { createUniqueNames, sharedNames, type UniqueNames } from "./unique-names.ts";
import { valuesAt } from "./update-at.ts";

export interface InjectOptions {
  /**
   * What the instance is called: a DNS label, which ends the names of cluster-scoped objects. Where
   * absent, as it can be without a mapping, the instances share them.
   */
  readonly instance?: string;
  /** Where absent, groups and names stay, and webhooks go to the app as they did. */
  readonly mapping?: GroupMapping;
  /** The namespaces that the proxy lets the app see; all where absent. */
  readonly scope?: NamespaceScope;
  /** App-specific fields that name a group, in custom resources and for the proxy. */
  readonly rules?: readonly FieldRule[];
  /** Where the instance lives; where the manifests say unless given. */
  readonly namespace?: string;
  /** Of the `rookery` command. */
  readonly image: string;
  /** Arguments by which the app's manager renames its groups itself: there is no proxy then. */
  readonly managerArguments?: readonly string[];
  /** Kinds in no namespace that the manifests hold and neither define nor have from Kubernetes. */
  readonly clusterScopedKinds?: readonly ServedName[];
  /** The Secret with the certificate of the app's webhooks, where the manifests do not tell. */
  readonly webhookSecret?: string;
}

/** What is decided from all manifests together, before any of them is rendered. */
export interface Plan {
  readonly options: InjectOptions;
  /** Empty where nothing is renamed. */
  readonly mapping: GroupMapping;
  readonly manifests: readonly Manifest[];
  /** Undefined where neither the manifests nor the options say where the instance lives. */
  readonly move: Move | undefined;
  /** The namespace that the manifests are written for, where they say. */
  readonly from: string | undefined;
  readonly names: UniqueNames;
  readonly callbacks: readonly Callback[];
  /** Whether an object goes where the instance lives. */
  readonly isInside: (manifest: Manifest) => boolean;
}

/** Errors: UnsafeManifestError. */
export function createPlan(manifests: readonly Manifest[], options: InjectOptions): Plan {
  const from = ownNamespace(manifests);
  const to = options.namespace ?? from;
  const isNamespaced = createScope(manifests, options.clusterScopedKinds);
  const isOutside = (manifest: Manifest) =>
    isNamespaced(manifest) && (manifest.metadata.namespace ?? from) !== from;
  const services = manifests.filter((manifest) => isKind(manifest, "", "Service")).map(nameOf);
  const { webhookSecret, instance, mapping = createGroupMapping([]) } = options;
  // Those of a renamed group are apart by their group.
  const suffixed = (options.clusterScopedKinds ?? []).filter(
    ({ group }) => mapping.toReal(group) === undefined,
  );
  const renames = mapping.pairs.length > 0;
  return {
    options,
    mapping,
    manifests,
    from,
    move: to === undefined ? undefined : { from, to, services },
    names:
      instance !== undefined
        ? createUniqueNames(manifests, instance, { isOutside, clusterScopedKinds: suffixed })
        : sharedNames,
    callbacks:
      renames && !options.managerArguments
        ? findCallbacks(manifests, { namespace: from, webhookSecret })
        : [],
    isInside: (manifest) => isNamespaced(manifest) && !isOutside(manifest),
  };
}

/** A kind that nobody knows is taken for a namespaced one; the API server drops a namespace elsewhere. */
function createScope(
  manifests: readonly Manifest[],
  known: readonly ServedName[] = [],
): (manifest: Manifest) => boolean {
  const isClusterCrd = (manifest: Manifest) =>
    isCrd(manifest) && valuesAt(manifest, "spec.scope")[0] === "Cluster";
  const kinds = manifests
    .filter(isClusterCrd)
    .map((crd) => [...valuesAt(crd, "spec.group"), ...valuesAt(crd, "spec.names.kind")].join("/"));
  kinds.push(...known.map(({ group, kind }) => `${group}/${kind}`));
  return (manifest) =>
    !clusterScopedKind(manifest) && !kinds.includes(`${groupOf(manifest)}/${manifest.kind}`);
}
