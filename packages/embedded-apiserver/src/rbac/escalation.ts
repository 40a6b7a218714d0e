import type { ClusterRole, PolicyRule, RoleRef } from "@rookery/api";
import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  type Authorizer,
  emptyAttributes,
  systemUsers,
} from "@rookery/apiserver";
import { deepEqual, forbiddenError, type KubeObject, notFoundError, quote } from "@rookery/kube";
import { describeRules, quoteAll, uncoveredRules } from "./covers.ts";
import { describeMissing, type Grant, type RuleResolver, rbacGroup } from "./rule-resolver.ts";

export interface EscalationOptions {
  readonly resolver: RuleResolver;
  readonly authorize: Authorizer;
}

const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/**
 * Rejects roles and bindings that grant more than their writer holds, unless the writer may
 * escalate or bind. Must be the last mutating plugin: kube-apiserver checks the mutated object
 * before validation.
 */
export function createEscalationCheck(options: EscalationOptions): AdmissionPlugin {
  return {
    name: "RBACEscalation",
    operations: ["CREATE", "UPDATE"],
    mutate: async (attributes) => {
      const { object, resource, subresource, user } = attributes;
      if (object === undefined) throw new TypeError("could not check a deletion for escalation");
      const isRbac = resource.group === rbacGroup && subresource === "";
      if (isRbac && !user.groups.includes(systemUsers.privilegedGroup)) {
        await assertNoEscalation({ ...attributes, object }, options);
      }
      return object;
    },
  };
}

type Change = AdmissionAttributes & { readonly object: KubeObject };

async function assertNoEscalation(change: Change, options: EscalationOptions): Promise<void> {
  const { resource } = change.resource;
  const isRole = resource === "roles" || resource === "clusterroles";
  if (isRole && (await isAllowed(escalationOf(change), change, options))) return;
  if (onlyFreesForDeletion(change)) return;
  if (isRole) assertRoleHeld(change, options);
  else await assertBindable(change, options);
}

/** A POST has no name in its path, so that rules with resourceNames do not apply. */
function escalationOf({ requestName = "", resource, namespace }: Change) {
  return { verb: "escalate", resource: resource.resource, name: requestName, namespace };
}

async function isAllowed(
  requested: { verb: string; resource: string; name: string; namespace: string },
  { user, signal }: Change,
  { authorize }: EscalationOptions,
): Promise<boolean> {
  const about = { user, group: rbacGroup, version: "*", isResourceRequest: true };
  const attributes = { ...emptyAttributes, ...about, ...requested };
  return (await authorize(attributes, signal)).decision === "Allow";
}

/** The garbage collector may remove finalizers and owners of any role. */
function onlyFreesForDeletion({ object, oldObject }: Change): boolean {
  if (oldObject === undefined) return false;
  return deepEqual(withoutOwners(object), withoutOwners(oldObject));
}

function withoutOwners(object: KubeObject): object {
  const { ownerReferences, finalizers, selfLink, managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function assertRoleHeld(change: Change, { resolver }: EscalationOptions): void {
  const { object, oldObject } = change;
  // null if the client omits them.
  const rules = (object as ClusterRole).rules ?? [];
  const missing = missingRights(rules, { ...change, resolver });
  if (missing !== undefined) throw refusal(change, missing);
  if (!hasAggregationRule(object) && !hasAggregationRule(oldObject)) return;
  if (missingRights(everything, { ...change, resolver }) === undefined) return;
  throw refusal(change, "must have cluster-admin privileges to use the aggregationRule");
}

function hasAggregationRule(object: KubeObject | undefined): boolean {
  const { aggregationRule } = (object ?? {}) as ClusterRole;
  return (aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}

async function assertBindable(change: Change, options: EscalationOptions): Promise<void> {
  const { namespace } = change;
  const { roleRef = {} } = change.object as { roleRef?: RoleRef };
  const { kind, name = "" } = roleRef;
  if (kind !== "Role" && kind !== "ClusterRole") {
    throw new Error(`unsupported role reference kind: ${quote(kind ?? "")}`);
  }
  const resource = `${kind.toLowerCase()}s`;
  if (await isAllowed({ verb: "bind", resource, name, namespace }, change, options)) return;
  const rules = options.resolver.rulesOf(roleRef, namespace);
  // kube-apiserver names the resource of the request, not of the role.
  if (rules === undefined) throw notFoundError(change.resource, name);
  const missing = missingRights(rules, { ...change, ...options });
  if (missing !== undefined) throw refusal(change, missing);
}

/** The rights that a user lacks, in kube-apiserver's wording; undefined if none. */
function missingRights(
  wanted: readonly PolicyRule[],
  who: Pick<Change, "user" | "namespace" | "resource"> & { readonly resolver: RuleResolver },
): string | undefined {
  const { resolver, user, namespace } = who;
  const { resource } = who.resource;
  const grants: Grant[] = [...resolver.grantsTo(user, namespace)];
  const uncovered = uncoveredRules(
    grants.flatMap(({ rules = [] }) => rules),
    wanted,
  );
  if (uncovered === undefined) {
    return "the rules have too many combinations of verbs, groups, resources and names to check; split them into several roles";
  }
  if (uncovered.length === 0) return undefined;
  const unresolved = grants.filter(({ rules }) => rules === undefined);
  const errors =
    unresolved.length === 0
      ? ""
      : `; resolution errors: [${describeMissing(unresolved, resource)}]`;
  return `user ${quote(user.name)} (groups=${quoteAll(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${describeRules(uncovered)}${errors}`;
}

function refusal({ resource: { group, resource }, name }: Change, why: string) {
  return forbiddenError({ group, resource }, name, why);
}
