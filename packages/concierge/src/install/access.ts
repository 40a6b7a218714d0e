import {
  certificateRule,
  forNames,
  leaseRules,
  type PolicyRule,
  policyRule,
  readVerbs,
  role,
  roleBinding,
} from "@rookery/runtime";
import { authenticationGroup, configGroup, identityGroup, loginGroup } from "../names.ts";
import { clientSignerName } from "../signing/signing-requests.ts";
import type { Instance } from "./instance.ts";

const rbacGroup = "rbac.authorization.k8s.io";

const clusterInfo = forNames(policyRule("", ["configmaps"], ["get"]), "cluster-info");
const authentication = forNames(
  policyRule("", ["configmaps"], readVerbs),
  "extension-apiserver-authentication",
);

/** The rights of the concierge in the whole cluster. */
export function clusterRules({ group, signingSecret, confined }: Instance): PolicyRule[] {
  const services = [loginGroup, identityGroup].map((name) => `v1alpha1.${group(name)}`);
  const authenticators = ["jwtauthenticators", "webhookauthenticators"];
  const statuses = authenticators.map((plural) => `${plural}/status`);
  return [
    policyRule(group(authenticationGroup), authenticators, readVerbs),
    policyRule(group(authenticationGroup), statuses, ["patch"]),
    policyRule(group(configGroup), ["credentialissuers"], [...readVerbs, "create"]),
    policyRule(group(configGroup), ["credentialissuers/status"], ["patch"]),
    forNames(policyRule("apiregistration.k8s.io", ["apiservices"], ["get", "patch"]), ...services),
    ...(signingSecret === undefined ? signingRequestRules : []),
    // Instead of roles in other namespaces: only those should have ConfigMaps of these names.
    ...(confined ? [clusterInfo, authentication] : []),
  ];
}

const signingRequestRules: readonly PolicyRule[] = [
  policyRule("certificates.k8s.io", ["certificatesigningrequests"], ["create", "get", "delete"]),
  policyRule("certificates.k8s.io", ["certificatesigningrequests/approval"], ["update"]),
  forNames(policyRule("certificates.k8s.io", ["signers"], ["approve"]), clientSignerName),
];

/** The rights of the concierge in its own namespace. */
export function namespaceRules({ name, signingSecret }: Instance): PolicyRule[] {
  const signing = signingSecret && forNames(policyRule("", ["secrets"], ["get"]), signingSecret);
  return [
    policyRule("", ["secrets"], ["create"]),
    certificateRule(name),
    ...leaseRules(name),
    ...(signing ? [signing] : []),
  ];
}

/** Roles besides those of the manager: for delegation, other namespaces and clients. */
export function furtherAccess(instance: Instance): object[] {
  const { clusterName, confined } = instance;
  return [
    boundTo("system:auth-delegator", { name: `${clusterName}:auth-delegator` }, instance),
    ...(confined ? [] : accessElsewhere(instance)),
    ...clientAccess(instance),
  ];
}

/** For the address of the cluster in kube-public, and its authentication in kube-system. */
function accessElsewhere(instance: Instance): object[] {
  const { clusterName: name, labels } = instance;
  const inPublic = { name, namespace: "kube-public", labels };
  return [
    role(inPublic, [clusterInfo]),
    roleBinding(inPublic, instance),
    boundTo(
      "extension-apiserver-authentication-reader",
      { name, namespace: "kube-system" },
      instance,
    ),
  ];
}

/** Binds a role of Kubernetes itself to the account of the concierge. */
function boundTo(roleName: string, metadata: Omit<BindingMetadata, "labels">, instance: Instance) {
  const { name, namespace, labels } = instance;
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  return binding(roleName, { ...metadata, labels }, subjects);
}

interface BindingMetadata {
  readonly name: string;
  /** Absent for a ClusterRoleBinding. */
  readonly namespace?: string;
  readonly labels: Instance["labels"];
}

function binding(name: string, metadata: BindingMetadata, subjects: readonly object[]): object {
  const kind = metadata.namespace === undefined ? "ClusterRole" : "Role";
  const roleRef = { apiGroup: rbacGroup, kind, name };
  return { apiVersion: `${rbacGroup}/v1`, kind: `${kind}Binding`, metadata, roleRef, subjects };
}

/** Clients request a credential before they are authenticated. */
function clientAccess({ clusterName, labels, group }: Instance): object[] {
  const metadata = { name: `${clusterName}:pre-authn-apis`, labels };
  const subjects = ["system:authenticated", "system:unauthenticated"].map((name) => ({
    apiGroup: rbacGroup,
    kind: "Group",
    name,
  }));
  return [
    role(metadata, [
      policyRule(group(loginGroup), ["tokencredentialrequests"], ["create", "list"]),
      policyRule(group(identityGroup), ["whoamirequests"], ["create", "list"]),
    ]),
    binding(metadata.name, metadata, subjects),
  ];
}
