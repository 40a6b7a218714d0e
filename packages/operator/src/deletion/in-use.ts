import type { Client } from "@rookery/client";
import { familyOf } from "../instances/family.ts";
import { abandonedNamespaces, remainingInstances } from "../instances/handover.ts";
import type { InstallState } from "../state/install-state.ts";
import type { ProviderViews } from "../state/provider-view.ts";
import { findUsers, type Users } from "./users.ts";

/** Who keeps a provider from being deleted, and what an administrator can do about it. */
export interface InUse extends Users {
  /** "delete them first". */
  readonly wayOut: string;
}

/**
 * Who keeps a provider from being deleted. Nobody uses a provider that has nothing in the cluster: what
 * carries its label then belongs to other instances. Where another instance stays, only the users in
 * namespaces count that it does not watch. Throws PhaseError where it cannot be found out.
 */
export async function findUsersInTheWay(
  { self, others }: ProviderViews,
  state: InstallState,
  client: Client,
): Promise<InUse | undefined> {
  if (state.phase === "Deleting" || state.owned.length === 0) return undefined;
  const crds = state.owned.filter(({ stage }) => stage === "crds");
  const services = state.owned.filter(({ kind }) => kind === "Service");
  const family = familyOf(self, others);
  const isOneOfMany = state.layout !== undefined && remainingInstances(family).length > 0;
  const abandoned = isOneOfMany && { abandoned: abandonedNamespaces(family) };
  const users = await findUsers(self, { others, crds, services, client, ...abandoned });
  if (users.count === 0) return undefined;
  const wayOut = isOneOfMany
    ? "let another instance claim their namespaces, or delete them first"
    : "delete them first";
  return { ...users, wayOut };
}
