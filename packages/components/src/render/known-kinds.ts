import { parseApiVersion } from "@rookery/kube";
import type { Component } from "../documents/documents.ts";

/** When components are applied: each stage after the one before it. */
export const stages = [
  "namespace",
  "crds",
  "rbac",
  "configuration",
  "workloads",
  "instances",
  "external",
  "webhooks",
] as const;

export type Stage = (typeof stages)[number];

/** A kind that an API server serves. */
export interface ServedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** A kind that components may hold. */
export interface ComponentKind extends ServedKind {
  readonly stage: Stage;
}

type Row = readonly [stage: Stage, group: string, kinds: readonly string[]];

const rbac = "rbac.authorization.k8s.io";
const admission = "admissionregistration.k8s.io";

const clusterScoped: readonly Row[] = [
  ["namespace", "", ["Namespace"]],
  ["crds", "apiextensions.k8s.io", ["CustomResourceDefinition"]],
  ["rbac", rbac, ["ClusterRole", "ClusterRoleBinding"]],
  ["configuration", "scheduling.k8s.io", ["PriorityClass"]],
  ["webhooks", admission, ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]],
  ["webhooks", admission, ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"]],
  ["webhooks", "apiregistration.k8s.io", ["APIService"]],
];

const namespaced: readonly Row[] = [
  ["rbac", "", ["ServiceAccount"]],
  ["rbac", rbac, ["Role", "RoleBinding"]],
  ["configuration", "", ["ConfigMap", "Secret", "Service", "PersistentVolumeClaim"]],
  ["configuration", "policy", ["PodDisruptionBudget"]],
  ["configuration", "networking.k8s.io", ["NetworkPolicy"]],
  ["configuration", "cert-manager.io", ["Issuer", "Certificate"]],
  ["configuration", "monitoring.coreos.com", ["ServiceMonitor", "PodMonitor"]],
  ["workloads", "apps", ["Deployment", "DaemonSet", "StatefulSet"]],
  ["workloads", "batch", ["Job", "CronJob"]],
  ["workloads", "autoscaling", ["HorizontalPodAutoscaler"]],
];

const kindsOf =
  (isNamespaced: boolean) =>
  ([stage, group, kinds]: Row): readonly ComponentKind[] =>
    kinds.map((kind) => ({
      group,
      kind,
      plural: pluralOf(kind),
      namespaced: isNamespaced,
      stage,
    }));

/** The kinds that components may have in every cluster. */
export const componentKinds: readonly ComponentKind[] = [
  ...clusterScoped.flatMap(kindsOf(false)),
  ...namespaced.flatMap(kindsOf(true)),
];

/** Finds the kind of a component; undefined for an unknown one. */
export type KindLookup = (
  component: Pick<Component, "apiVersion" | "kind">,
) => ComponentKind | undefined;

/** The known kinds, those that the CRDs among the components define, and others that are served. */
export function kindLookup(
  components: readonly Component[],
  served: readonly ServedKind[] = [],
): KindLookup {
  const own = components.filter(({ kind }) => kind === "CustomResourceDefinition").map(definedKind);
  const external = served.map((one): ComponentKind => ({ ...one, stage: "external" }));
  const kinds = new Map(
    [...external, ...own, ...componentKinds].map((one) => [`${one.group}/${one.kind}`, one]),
  );
  return ({ apiVersion, kind }) => kinds.get(`${parseApiVersion(apiVersion).group}/${kind}`);
}

/** One component of each kind that is neither known nor defined by a CRD of the components. */
export function ofExternalKinds(components: readonly Component[]): readonly Component[] {
  const lookup = kindLookup(components);
  const external = components.filter((component) => lookup(component) === undefined);
  const byKind = new Map(
    external.map((one) => [`${parseApiVersion(one.apiVersion).group}/${one.kind}`, one]),
  );
  return [...byKind.values()];
}

/**
 * External kinds where no API server can be asked: the plural by Kubernetes' rule, and namespaced if an
 * object has a namespace.
 */
export function guessedKinds(components: readonly Component[]): readonly ServedKind[] {
  return ofExternalKinds(components).map(({ apiVersion, kind }) => {
    const same = components.filter((one) => one.apiVersion === apiVersion && one.kind === kind);
    return {
      group: parseApiVersion(apiVersion).group,
      kind,
      plural: pluralOf(kind),
      namespaced: same.some(({ metadata }) => metadata.namespace),
    };
  });
}

/** Kubernetes' own rule, which holds for all kinds above. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("s")) return `${singular}es`;
  return singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

/** Set on components of external kinds, as stages are also computed without the other components. */
const externalAnnotation = "management.cluster.x-k8s.io/external-kind";

export function asExternal(component: Component): Component {
  const { metadata } = component;
  const annotations = { ...metadata.annotations, [externalAnnotation]: "true" };
  return { ...component, metadata: { ...metadata, annotations } };
}

export function isExternal({ metadata }: Pick<Component, "metadata">): boolean {
  return metadata.annotations?.[externalAnnotation] === "true";
}

function definedKind(crd: Component): ComponentKind {
  const { group, scope, names } = Object(crd.spec) as {
    group?: string;
    scope?: string;
    names?: { kind?: string; plural?: string };
  };
  return {
    group: group ?? "",
    kind: names?.kind ?? "",
    plural: names?.plural ?? "",
    namespaced: scope !== "Cluster",
    stage: "instances",
  };
}

/** Components of one stage, which can be applied together. */
interface InstallStage {
  readonly stage: Stage;
  readonly components: readonly Component[];
}

/**
 * Components by stage, in the order of installation: CRDs must be established before further stages, and
 * webhooks come last, as all writes after them pass through them.
 */
export function installStages(components: readonly Component[]): readonly InstallStage[] {
  const lookup = kindLookup(components);
  // The components of a further instance lack the CRDs of their kinds.
  const stageOf = (one: Component) =>
    lookup(one)?.stage ?? (isExternal(one) ? "external" : "instances");
  const byStage = Object.groupBy(components, stageOf);
  return stages.flatMap((stage) => {
    const members = byStage[stage];
    return members ? [{ stage, components: members }] : [];
  });
}

/** All components in the order of their stages. */
export function inInstallOrder(components: readonly Component[]): readonly Component[] {
  return installStages(components).flatMap((stage) => stage.components);
}
