import { createGroupMapping, type FieldRule, type GroupMapping } from "@rookery/group-suffix";
import type { NamespaceScope } from "@rookery/runtime";
import { type Callback, findCallbacks } from "./callbacks.ts";
import { UnsafeManifestError } from "./errors.ts";
import { clusterScopedKind, isCrd, isKind, isRbac, type ServedName } from "./kinds.ts";
import { describe, groupOf, type Manifest, nameOf } from "./manifest.ts";
import type { Move } from "./move-namespace.ts";
import { podSpecOf } from "./pods.ts";
import { createUniqueNames, sharedNames, type UniqueNames } from "./unique-names.ts";
import { type Fields, isFields, valuesAt } from "./update-at.ts";

export interface InjectOptions {
  /**
   * The name of the instance, a DNS label and suffix of cluster-scoped names. Without one, which
   * requires no mapping, instances share those objects.
   */
  readonly instance?: string;
  /** Without a mapping, groups and names stay, and webhooks call the app directly. */
  readonly mapping?: GroupMapping;
  /** The visible namespaces; all by default. */
  readonly scope?: NamespaceScope;
  /** Fields of the app's kinds that name a group. */
  readonly rules?: readonly FieldRule[];
  /** The namespace of the instance; that of the manifests by default. */
  readonly namespace?: string;
  /** The image of Rookery. */
  readonly image: string;
  /** Arguments for apps that rename their groups themselves; there is no proxy then. */
  readonly managerArguments?: readonly string[];
  /** Cluster-scoped kinds that neither Kubernetes nor the manifests define. */
  readonly clusterScopedKinds?: readonly ServedName[];
  /** The Secret with the certificate of the app's webhooks, if it is ambiguous. */
  readonly webhookSecret?: string;
}

/** Decisions about all manifests together, before rendering. */
export interface Plan {
  readonly options: InjectOptions;
  /** Empty where nothing is renamed. */
  readonly mapping: GroupMapping;
  readonly manifests: readonly Manifest[];
  /** Undefined for an unknown namespace of the instance. */
  readonly move: Move | undefined;
  /** The namespace of the manifests, if known. */
  readonly from: string | undefined;
  readonly names: UniqueNames;
  readonly callbacks: readonly Callback[];
  /** Whether an object belongs to the namespace of the instance. */
  readonly isInside: (manifest: Manifest) => boolean;
}

export function createPlan(manifests: readonly Manifest[], options: InjectOptions): Plan {
  const from = ownNamespace(manifests);
  const to = options.namespace ?? from;
  const isNamespaced = createScope(manifests, options.clusterScopedKinds);
  const isOutside = (manifest: Manifest) =>
    isNamespaced(manifest) && (manifest.metadata.namespace ?? from) !== from;
  const services = manifests.filter((manifest) => isKind(manifest, "", "Service")).map(nameOf);
  const { webhookSecret, instance, mapping = createGroupMapping([]) } = options;
  // Kinds in a renamed group differ by their group.
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

/** Unknown kinds count as namespaced; the API server drops a namespace otherwise. */
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

/** The fields with Services of webhooks, CRDs and APIServices. */
const servicePaths = [
  "webhooks[].clientConfig.service",
  "spec.conversion.webhook.clientConfig.service",
  "spec.service",
] as const;

/**
 * The namespace of an app's manifests: that of its pods, or, for `kubectl -n`, the one in
 * references. Undefined where unknown. Errors: UnsafeManifestError for more than one.
 */
function ownNamespace(manifests: readonly Manifest[]): string | undefined {
  const pods = manifests.filter((manifest) => podSpecOf(manifest));
  const declared = pods.filter(({ metadata }) => metadata.namespace !== undefined);
  const byPods = new Map(declared.map((pod) => [pod.metadata.namespace, pod]));
  const [first, second] = byPods.values();
  if (first && second) {
    const why = `other pods of the app are in namespace ${first.metadata.namespace}; an instance lives in one`;
    throw new UnsafeManifestError(second, `${why}: render those of each namespace alone`);
  }
  return first?.metadata.namespace ?? referredNamespace(manifests) ?? onlyNamespace(manifests);
}

/** Without pods: the only namespace of all manifests. */
function onlyNamespace(manifests: readonly Manifest[]): string | undefined {
  const said = manifests.flatMap(({ metadata }) => metadata.namespace ?? []);
  return new Set(said).size === 1 ? said[0] : undefined;
}

function referredNamespace(manifests: readonly Manifest[]): string | undefined {
  const referred = new Map<string, Manifest>();
  for (const manifest of manifests) {
    for (const namespace of namespacesIn(manifest, manifests)) referred.set(namespace, manifest);
  }
  const [first, second] = referred;
  if (first && second) {
    const why = `it refers to namespace ${second[0]} and ${describe(first[1])} to ${first[0]}`;
    throw new UnsafeManifestError(second[1], `${why}; give its pods a namespace`);
  }
  return first?.[0];
}

/** The namespaces in references to accounts and Services of the manifests. */
function namespacesIn(manifest: Manifest, manifests: readonly Manifest[]): string[] {
  const isAmong = (kind: string, name: unknown) =>
    manifests.some((other) => other.kind === kind && nameOf(other) === name);
  const subjects = isRbac(manifest, "RoleBinding", "ClusterRoleBinding")
    ? valuesAt(manifest, "subjects[]")
    : [];
  const services = clusterScopedKind(manifest)
    ? servicePaths.flatMap((path) => valuesAt(manifest, path))
    : [];
  const accounts = subjects.filter(
    (subject) => isFields(subject) && subject.kind === "ServiceAccount",
  );
  return [
    ...(accounts as Fields[]).filter(({ name }) => isAmong("ServiceAccount", name)),
    ...(services as Fields[]).filter(({ name }) => isAmong("Service", name)),
  ].flatMap(({ namespace }) => (typeof namespace === "string" ? [namespace] : []));
}
