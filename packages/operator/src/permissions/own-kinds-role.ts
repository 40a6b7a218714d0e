import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import {
  type Component,
  type PolicyRule,
  type ProviderIdentity,
  providerLabel,
} from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import { identityOf } from "../identity/identity.ts";
import { selfSubjectReviews } from "../resources.ts";
import { definitionsAmong } from "../storage-versions/definition.ts";

export interface ClusterRole extends KubeObject {
  readonly rules?: readonly PolicyRule[];
}

export interface ClusterRoleBinding extends KubeObject {
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[];
}

export interface GroupPlural {
  readonly group: string;
  readonly plural: string;
}

const group = "rbac.authorization.k8s.io";
const apiVersion = `${group}/v1`;
const labels = { "app.kubernetes.io/managed-by": "rookery-operator" };
/** To apply components of these kinds, to rewrite stored objects, and to find users. */
const verbs = ["create", "delete", "get", "list", "patch", "update", "watch"];

export interface RoleOwner {
  readonly namespace: string;
  readonly identity: ProviderIdentity;
}

export function roleOwnerOf(provider: Provider): RoleOwner {
  return { namespace: provider.metadata.namespace ?? "", identity: identityOf(provider) };
}

export function roleName({ namespace, identity }: RoleOwner): string {
  return `rookery-operator:${namespace}:${providerLabel(identity)}`;
}

export function definedKinds(components: readonly Component[]): readonly GroupPlural[] {
  return definitionsAmong(components).map(({ spec }) => ({
    group: spec.group,
    plural: spec.names.plural,
  }));
}

/** The names of CustomResourceDefinitions are always <plural>.<group>. */
export function kindsNamed(definitions: readonly string[]): readonly GroupPlural[] {
  return definitions.map((name) => {
    const dot = name.indexOf(".");
    return { group: name.slice(dot + 1), plural: name.slice(0, dot) };
  });
}

/** The role for a provider's own kinds. Kinds that a new version no longer has stay allowed, like their CRDs. */
export function ownKindsRole(
  name: string,
  kinds: readonly GroupPlural[],
  before: readonly PolicyRule[] = [],
): ClusterRole {
  const known = before.flatMap(({ apiGroups, resources }) =>
    apiGroups.flatMap((apiGroup) => resources.map((plural) => ({ group: apiGroup, plural }))),
  );
  const groups = Map.groupBy([...known, ...kinds], (one) => one.group);
  const rules = [...groups.keys()].sort().map((apiGroup) => {
    const plurals = (groups.get(apiGroup) ?? []).map(({ plural }) => plural);
    return { apiGroups: [apiGroup], resources: [...new Set(plurals)].sort(), verbs };
  });
  return { apiVersion, kind: "ClusterRole", metadata: { name, labels }, rules };
}

export function ownKindsBinding(name: string, subject: Subject): ClusterRoleBinding {
  return {
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata: { name, labels },
    roleRef: { apiGroup: group, kind: "ClusterRole", name },
    subjects: [subject],
  };
}

type Subject =
  | { readonly kind: "ServiceAccount"; readonly namespace: string; readonly name: string }
  | { readonly apiGroup: typeof group; readonly kind: "User"; readonly name: string };

interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: { readonly username?: string } };
}

export async function ownSubject(client: Client): Promise<Subject> {
  const { status } = await client
    .resource<SelfSubjectReview>(selfSubjectReviews)
    .create({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview", metadata: {} });
  return subjectOf(status?.userInfo?.username ?? "");
}

export function subjectOf(username: string): Subject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  if (namespace && name) return { kind: "ServiceAccount", namespace, name };
  return { apiGroup: group, kind: "User", name: username };
}
