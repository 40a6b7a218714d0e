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
  "webhooks",
] as const;

export type Stage = (typeof stages)[number];

/** A kind that components may hold. */
export interface ComponentKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly stage: Stage;
}

type Row = readonly [group: string, kind: string, plural: string, stage: Stage];

const clusterWide: readonly Row[] = [
  ["", "Namespace", "namespaces", "namespace"],
  ["apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions", "crds"],
  ["rbac.authorization.k8s.io", "ClusterRole", "clusterroles", "rbac"],
  ["rbac.authorization.k8s.io", "ClusterRoleBinding", "clusterrolebindings", "rbac"],
  ["scheduling.k8s.io", "PriorityClass", "priorityclasses", "configuration"],
  [
    "admissionregistration.k8s.io",
    "MutatingWebhookConfiguration",
    "mutatingwebhookconfigurations",
    "webhooks",
  ],
  [
    "admissionregistration.k8s.io",
    "ValidatingWebhookConfiguration",
    "validatingwebhookconfigurations",
    "webhooks",
  ],
  [
    "admissionregistration.k8s.io",
    "ValidatingAdmissionPolicy",
    "validatingadmissionpolicies",
    "webhooks",
  ],
  [
    "admissionregistration.k8s.io",
    "ValidatingAdmissionPolicyBinding",
    "validatingadmissionpolicybindings",
    "webhooks",
  ],
  ["apiregistration.k8s.io", "APIService", "apiservices", "webhooks"],
];

const namespaced: readonly Row[] = [
  ["", "ServiceAccount", "serviceaccounts", "rbac"],
  ["rbac.authorization.k8s.io", "Role", "roles", "rbac"],
  ["rbac.authorization.k8s.io", "RoleBinding", "rolebindings", "rbac"],
  ["", "ConfigMap", "configmaps", "configuration"],
  ["", "Secret", "secrets", "configuration"],
  ["", "Service", "services", "configuration"],
  ["", "PersistentVolumeClaim", "persistentvolumeclaims", "configuration"],
  ["policy", "PodDisruptionBudget", "poddisruptionbudgets", "configuration"],
  ["networking.k8s.io", "NetworkPolicy", "networkpolicies", "configuration"],
  ["cert-manager.io", "Issuer", "issuers", "configuration"],
  ["cert-manager.io", "Certificate", "certificates", "configuration"],
  ["monitoring.coreos.com", "ServiceMonitor", "servicemonitors", "configuration"],
  ["monitoring.coreos.com", "PodMonitor", "podmonitors", "configuration"],
  ["apps", "Deployment", "deployments", "workloads"],
  ["apps", "DaemonSet", "daemonsets", "workloads"],
  ["apps", "StatefulSet", "statefulsets", "workloads"],
  ["batch", "Job", "jobs", "workloads"],
  ["batch", "CronJob", "cronjobs", "workloads"],
  ["autoscaling", "HorizontalPodAutoscaler", "horizontalpodautoscalers", "workloads"],
];

const kindOf =
  (isNamespaced: boolean) =>
  ([group, kind, plural, stage]: Row): ComponentKind => ({
    group,
    kind,
    plural,
    namespaced: isNamespaced,
    stage,
  });

/** Every kind that components may hold, beside the kinds of their own CRDs. */
export const componentKinds: readonly ComponentKind[] = [
  ...clusterWide.map(kindOf(false)),
  ...namespaced.map(kindOf(true)),
];

/** Finds the kind of a component; undefined for one that components may not hold. */
export type KindLookup = (
  component: Pick<Component, "apiVersion" | "kind">,
) => ComponentKind | undefined;

/** The known kinds, and those that the CRDs among the components define. */
export function kindLookup(components: readonly Component[]): KindLookup {
  const own = components.filter(({ kind }) => kind === "CustomResourceDefinition").map(definedKind);
  const kinds = new Map(
    [...own, ...componentKinds].map((one) => [`${one.group}/${one.kind}`, one]),
  );
  return ({ apiVersion, kind }) => kinds.get(`${parseApiVersion(apiVersion).group}/${kind}`);
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
