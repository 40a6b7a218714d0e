import { setTimeout as delay } from "node:timers/promises";
import { type Client, getOptional, ignoreNotFound } from "@rookery/client";
import { type Component, componentKeyOf, isExternal, type PolicyRule } from "@rookery/components";
import { deepEqual, isForbidden, type KubeObject, type Resource } from "@rookery/kube";
import { componentResource } from "../components/component-resource.ts";
import { clusterRoleBindings, clusterRoles } from "../resources.ts";
import { isAllowed } from "./access-review.ts";
import { ownSubject } from "./own-identity.ts";
import {
  type ClusterRole,
  type ClusterRoleBinding,
  definedKinds,
  type GroupPlural,
  kindsNamed,
  ownKindsBinding,
  ownKindsRole,
  type RoleOwner,
  roleName,
} from "./own-kinds-role.ts";

export interface PermissionDependencies {
  readonly client: Client;
  readonly signal: AbortSignal;
}

const everything = { group: "*", resource: "*", verb: "*" };
/** API servers learn of a role a moment after it was written. */
const wait = { attempts: 100, milliseconds: 50 };

/**
 * Gives the operator a role for the kinds that the components of a provider define, and for those of
 * others that they hold: its own ClusterRole names only those that any components may hold. Returns when
 * the API server knows of it, and writes nothing where it is there. An operator that may not do so goes
 * on with what it was given: what is missing then is told where it is needed.
 */
export async function grantOwnKinds(
  owner: RoleOwner,
  components: readonly Component[],
  dependencies: PermissionDependencies,
): Promise<void> {
  const external = await externalKinds(components, dependencies.client);
  await grantKinds(owner, [...definedKinds(components), ...external], dependencies);
}

/** The same for the kinds of CustomResourceDefinitions that are in the cluster, by their names. */
export function grantNamedKinds(
  owner: RoleOwner,
  definitions: readonly string[],
  dependencies: PermissionDependencies,
): Promise<void> {
  return grantKinds(owner, kindsNamed(definitions), dependencies);
}

async function grantKinds(
  owner: RoleOwner,
  kinds: readonly GroupPlural[],
  dependencies: PermissionDependencies,
): Promise<void> {
  const { client, signal } = dependencies;
  if (kinds.length === 0 || (await isAllowed(client, everything, signal))) return;
  try {
    const rules = await writeRole(roleName(owner), kinds, dependencies);
    await waitUntilAllowed(rules, dependencies);
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
}

/** Takes the role for a provider's own kinds away again, where there is one. */
export async function revokeOwnKinds(
  owner: RoleOwner,
  { client, signal }: PermissionDependencies,
): Promise<void> {
  const name = roleName(owner);
  for (const resource of [clusterRoleBindings, clusterRoles]) {
    await ignoreNotFound(client.resource(resource).delete({ name }, { signal })).catch(
      ignoreForbidden,
    );
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

/** What was newly allowed. */
async function writeRole(
  name: string,
  kinds: readonly GroupPlural[],
  { client, signal }: PermissionDependencies,
): Promise<readonly PolicyRule[]> {
  const find = <T extends KubeObject>(resource: Resource) =>
    getOptional(client.resource<T>(resource), { name }, { signal });
  const role = await find<ClusterRole>(clusterRoles);
  const binding = await find<ClusterRoleBinding>(clusterRoleBindings);
  const wanted = ownKindsRole(name, kinds, role?.rules);
  const bound = ownKindsBinding(name, await ownSubject(client, signal));
  if (deepEqual(role?.rules, wanted.rules) && deepEqual(binding?.subjects, bound.subjects))
    return [];
  const options = { fieldManager: "rookery-operator", force: true, signal };
  await client.resource<ClusterRole>(clusterRoles).apply(wanted, options);
  await client.resource<ClusterRoleBinding>(clusterRoleBindings).apply(bound, options);
  return wanted.rules ?? [];
}

async function waitUntilAllowed(
  rules: readonly PolicyRule[],
  { client, signal }: PermissionDependencies,
): Promise<void> {
  const wanted = rules.map(({ apiGroups: [group = ""], resources: [resource = ""] }) => ({
    group,
    resource,
    verb: "list",
  }));
  for (const attributes of wanted) {
    for (let attempt = 0; attempt < wait.attempts; attempt++) {
      if (await isAllowed(client, attributes, signal)) break;
      await delay(wait.milliseconds, undefined, { signal });
    }
  }
}

/** Who may not delete a role cannot have made it. */
function ignoreForbidden(error: unknown): void {
  if (!isForbidden(error)) throw error;
}
