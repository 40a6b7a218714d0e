import type { ManagerMetadata } from "./pods.ts";

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The verbs that an informer needs. */
export const readVerbs: readonly string[] = ["get", "list", "watch"];

export function policyRule(
  groups: string | readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
): PolicyRule {
  return { apiGroups: [groups].flat(), resources, verbs };
}

/** The rule, limited to objects with these names. */
export function forNames(rule: PolicyRule, ...resourceNames: readonly string[]): PolicyRule {
  return { ...rule, resourceNames };
}

/** The rules for leader election by a Lease of this name. */
export function leaseRules(name: string): PolicyRule[] {
  const leases = (verbs: readonly string[]) => policyRule("coordination.k8s.io", ["leases"], verbs);
  return [leases(["create"]), forNames(leases(["get", "update"]), name)];
}

/** The rule for the Secret with the certificate that the manager issues for a Service. */
export function certificateRule(service: string): PolicyRule {
  return forNames(policyRule("", ["secrets"], ["get", "update"]), `${service}-cert`);
}

/** The rules to record events, and to write authorities into webhook configurations. */
export function eventAndWebhookRules(configurations: {
  readonly validating?: string;
  readonly mutating?: string;
}): PolicyRule[] {
  const published = Object.entries(configurations).map(([kind, name]) =>
    forNames(
      policyRule(
        "admissionregistration.k8s.io",
        [`${kind}webhookconfigurations`],
        ["get", "patch"],
      ),
      name,
    ),
  );
  return [policyRule("events.k8s.io", ["events"], ["create", "patch"]), ...published];
}

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;

type Labels = Readonly<Record<string, string>>;

interface RoleMetadata {
  readonly name: string;
  /** Undefined for a ClusterRole. */
  readonly namespace?: string;
  readonly labels: Labels;
}

/** A Role, or a ClusterRole if the metadata has no namespace. */
export function role(metadata: RoleMetadata, rules: readonly PolicyRule[]): object {
  const kind = metadata.namespace === undefined ? "ClusterRole" : "Role";
  return { apiVersion, kind, metadata, rules };
}

/** A ClusterRole with the rules of all ClusterRoles that have some labels. */
export function aggregatedRole(metadata: RoleMetadata, matchLabels: Labels): object {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels }] };
  return { apiVersion, kind: "ClusterRole", metadata, aggregationRule, rules: [] };
}

/** Binds the role of the same name to the account of a manager. */
export function roleBinding(
  metadata: RoleMetadata,
  { name, namespace }: Pick<ManagerMetadata, "name" | "namespace">,
  suffix = "",
): object {
  const kind = metadata.namespace === undefined ? "ClusterRole" : "Role";
  return {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { ...metadata, name: `${metadata.name}${suffix}` },
    roleRef: { apiGroup, kind, name: metadata.name },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  };
}
