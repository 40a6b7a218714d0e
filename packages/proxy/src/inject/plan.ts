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

/** Where webhook configurations, CRDs and APIServices name a Service. */
const servicePaths = [
  "webhooks[].clientConfig.service",
  "spec.conversion.webhook.clientConfig.service",
  "spec.service",
] as const;

/**
 * The namespace that an app's manifests are written for: that of its pods or, where they leave it to
 * `kubectl -n`, the one by which others refer to what is in it. Undefined where nothing says.
 * Errors: UnsafeManifestError where it is more than one.
 */
function ownNamespace(manifests: readonly Manifest[]): string | undefined {
  const pods = manifests.filter((manifest) => podSpecOf(manifest));
  const declared = pods.filter(({ metadata }) => metadata.namespace !== undefined);
  const byPods = new Map(declared.map((pod) => [pod.metadata.namespace, pod]));
  const [first, second] = byPods.values();
  if (first && second) {
    const why = `other pods of the app are in namespace ${first.metadata.namespace}; an instance lives in one`;
    throw new UnsafeManifestError(describe(second), `${why}: render those of each namespace alone`);
  }
  return first?.metadata.namespace ?? referredNamespace(manifests) ?? onlyNamespace(manifests);
}

/** Of manifests without pods: the one that all of them say. */
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
    throw new UnsafeManifestError(describe(second[1]), `${why}; give its pods a namespace`);
  }
  return first?.[0];
}

/** The namespaces by which a manifest refers to accounts and Services that are among the others. */
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
