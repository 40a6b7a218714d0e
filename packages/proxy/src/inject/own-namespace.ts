import { UnsafeManifestError } from "./errors.ts";
import { clusterScopedKind, isRbac } from "./kinds.ts";
import { describe, type Manifest, nameOf } from "./manifest.ts";
import { podSpecOf } from "./pods.ts";
import { type Fields, isFields, valuesAt } from "./update-at.ts";

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
export function ownNamespace(manifests: readonly Manifest[]): string | undefined {
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
