import { authenticationGroup, configGroup, identityGroup, loginGroup } from "../groups.ts";
import { clientSignerName } from "../signing/signing-requests.ts";
import type { Instance } from "./instance.ts";

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const apiGroup = "rbac.authorization.k8s.io";
const read = ["get", "list", "watch"];

/** What the concierge may do, and that everybody may ask it who they are. */
export function accessControl(instance: Instance): object[] {
  const { clusterName, name, namespace, confined } = instance;
  const own = { name, namespace };
  const rules = [...clusterRules(instance), ...(confined ? rulesElsewhere : [])];
  return [
    ...granted(instance, { kind: "ClusterRole", name: clusterName }, rules),
    ...granted(instance, { kind: "Role", ...own }, namespaceRules(instance)),
    bound(instance, {
      metadata: { name: `${clusterName}:auth-delegator` },
      role: { kind: "ClusterRole", name: "system:auth-delegator" },
    }),
    ...(confined ? [] : elsewhere(instance)),
    ...openApi(instance),
  ];
}

const clusterInfo = rule("", ["configmaps"], ["get"], ["cluster-info"]);
/** The same as in other namespaces; of any ConfigMap of these names, which only those should have. */
const rulesElsewhere: readonly PolicyRule[] = [
  clusterInfo,
  rule("", ["configmaps"], read, ["extension-apiserver-authentication"]),
];

/** What it may read in kube-public and kube-system. */
function elsewhere(instance: Instance): object[] {
  const { clusterName: name } = instance;
  return [
    ...granted(instance, { kind: "Role", name, namespace: "kube-public" }, [clusterInfo]),
    bound(instance, {
      metadata: { name, namespace: "kube-system" },
      role: { kind: "Role", name: "extension-apiserver-authentication-reader" },
    }),
  ];
}

function clusterRules({ group, signingSecret }: Instance): PolicyRule[] {
  const services = [loginGroup, identityGroup].map((name) => `v1alpha1.${group(name)}`);
  const authenticators = ["jwtauthenticators", "webhookauthenticators"];
  const statuses = authenticators.map((plural) => `${plural}/status`);
  return [
    rule(group(authenticationGroup), authenticators, read),
    rule(group(authenticationGroup), statuses, ["patch"]),
    rule(group(configGroup), ["credentialissuers"], [...read, "create"]),
    rule(group(configGroup), ["credentialissuers/status"], ["patch"]),
    rule("apiregistration.k8s.io", ["apiservices"], ["get", "patch"], services),
    ...(signingSecret === undefined ? signingRequestRules : []),
  ];
}

const signingRequestRules: readonly PolicyRule[] = [
  rule("certificates.k8s.io", ["certificatesigningrequests"], ["create", "get", "delete"]),
  rule("certificates.k8s.io", ["certificatesigningrequests/approval"], ["update"]),
  rule("certificates.k8s.io", ["signers"], ["approve"], [clientSignerName]),
];

function namespaceRules({ name, signingSecret }: Instance): PolicyRule[] {
  return [
    rule("", ["secrets"], ["create"]),
    rule("", ["secrets"], ["get", "update"], [`${name}-cert`]),
    rule("coordination.k8s.io", ["leases"], ["create"]),
    rule("coordination.k8s.io", ["leases"], ["get", "update"], [name]),
    ...(signingSecret === undefined ? [] : [rule("", ["secrets"], ["get"], [signingSecret])]),
  ];
}

/** Who has no credential yet has to be able to ask for one. */
function openApi(instance: Instance): object[] {
  const name = `${instance.clusterName}:pre-authn-apis`;
  const { labels, group } = instance;
  const groups = ["system:authenticated", "system:unauthenticated"];
  return [
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRole",
      metadata: { name, labels },
      rules: [
        rule(group(loginGroup), ["tokencredentialrequests"], ["create", "list"]),
        rule(group(identityGroup), ["whoamirequests"], ["create", "list"]),
      ],
    },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name, labels },
      roleRef: { apiGroup, kind: "ClusterRole", name },
      subjects: groups.map((subject) => ({ apiGroup, kind: "Group", name: subject })),
    },
  ];
}

interface Role {
  readonly kind: "Role" | "ClusterRole";
  readonly name: string;
  readonly namespace?: string;
}

/** A role and its binding to the concierge's account. */
function granted(instance: Instance, role: Role, rules: readonly PolicyRule[]): object[] {
  const { kind, ...metadata } = role;
  const { labels } = instance;
  return [
    { apiVersion: `${apiGroup}/v1`, kind, metadata: { ...metadata, labels }, rules },
    bound(instance, { metadata, role }),
  ];
}

function bound(
  { name, namespace, labels }: Instance,
  { metadata, role }: { metadata: { name: string; namespace?: string }; role: Role },
): object {
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: metadata.namespace === undefined ? "ClusterRoleBinding" : "RoleBinding",
    metadata: { ...metadata, labels },
    roleRef: { apiGroup, kind: role.kind, name: role.name },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  };
}

function rule(
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames?: readonly string[],
): PolicyRule {
  return { apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) };
}
