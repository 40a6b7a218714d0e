import { setTimeout as delay } from "node:timers/promises";
import { type Client, getOptional, ignoreNotFound, isAllowed } from "@rookery/client";
import { type Component, componentKeyOf, isExternal, type PolicyRule } from "@rookery/components";
import { deepEqual, isForbidden } from "@rookery/kube";
import { componentResource, fieldManager } from "../components/component-client.ts";
import { clusterRoleBindings, clusterRoles } from "../resources.ts";
import {
  type ClusterRole,
  type ClusterRoleBinding,
  definedKinds,
  type GroupPlural,
  kindsNamed,
  ownKindsBinding,
  ownKindsRole,
  ownSubject,
  type RoleOwner,
  roleName,
} from "./own-kinds-role.ts";

interface Scope {
  readonly client: Client;
  readonly signal: AbortSignal;
}

const everything = { group: "*", resource: "*", verb: "*" };
/** API servers notice a new role after a moment. */
const wait = { attempts: 100, milliseconds: 50 };

/**
 * Gives the operator a role for the kinds that the components of a provider define, and for external
 * kinds among them: its own ClusterRole has only the kinds that all components may have. Returns when
 * the role is in effect. An operator that may not create roles continues with those that it has.
 */
export async function grantOwnKinds(
  owner: RoleOwner,
  components: readonly Component[],
  scope: Scope,
): Promise<void> {
  const external = await externalKinds(components, scope.client);
  await grantKinds(owner, [...definedKinds(components), ...external], scope);
}

/** The same for the kinds of existing CustomResourceDefinitions. */
export function grantNamedKinds(
  owner: RoleOwner,
  definitions: readonly string[],
  scope: Scope,
): Promise<void> {
  return grantKinds(owner, kindsNamed(definitions), scope);
}

async function grantKinds(
  owner: RoleOwner,
  kinds: readonly GroupPlural[],
  scope: Scope,
): Promise<void> {
  if (kinds.length === 0 || (await isAllowed(scope.client, everything))) return;
  try {
    await waitUntilAllowed(await writeRole(roleName(owner), kinds, scope.client), scope);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

/** Deletes the role for a provider's own kinds; an operator that may not do so cannot have created it. */
export async function revokeOwnKinds(
  owner: RoleOwner,
  { client }: Pick<Scope, "client">,
): Promise<void> {
  const name = roleName(owner);
  for (const resource of [clusterRoleBindings, clusterRoles]) {
    await ignoreNotFound(client.resource(resource).delete({ name })).catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
    });
  }
}

async function externalKinds(
  components: readonly Component[],
  client: Client,
): Promise<readonly GroupPlural[]> {
  const found: GroupPlural[] = [];
  for (const component of components.filter(isExternal)) {
    const resource = await componentResource(componentKeyOf(component), client);
    if (resource) found.push(resource);
  }
  return found;
}

/** Returns the rules if they are new. */
async function writeRole(
  name: string,
  kinds: readonly GroupPlural[],
  client: Client,
): Promise<readonly PolicyRule[]> {
  const [roles, bindings] = [
    client.resource<ClusterRole>(clusterRoles),
    client.resource<ClusterRoleBinding>(clusterRoleBindings),
  ];
  const role = await getOptional(roles, { name });
  const binding = await getOptional(bindings, { name });
  const wanted = ownKindsRole(name, kinds, role?.rules);
  const bound = ownKindsBinding(name, await ownSubject(client));
  if (deepEqual(role?.rules, wanted.rules) && deepEqual(binding?.subjects, bound.subjects))
    return [];
  const options = { fieldManager, force: true };
  await roles.apply(wanted, options);
  await bindings.apply(bound, options);
  return wanted.rules ?? [];
}

async function waitUntilAllowed(
  rules: readonly PolicyRule[],
  { client, signal }: Scope,
): Promise<void> {
  for (const {
    apiGroups: [group = ""],
    resources: [resource = ""],
  } of rules) {
    for (let attempt = 0; attempt < wait.attempts; attempt++) {
      if (await isAllowed(client, { group, resource, verb: "list" })) break;
      await delay(wait.milliseconds, undefined, { signal });
    }
  }
}
