import type { Client } from "@rookery/client";
import { familyOf } from "../instances/family.ts";
import { abandonedNamespaces, remainingInstances } from "../instances/handover.ts";
import type { InstallState } from "../state/install-state.ts";
import type { ProviderViews } from "../state/provider-view.ts";
import { findUsers, type Users } from "./users.ts";

/** The users that keep a provider from being deleted. */
export interface InUse extends Users {
  /** "delete them first". */
  readonly wayOut: string;
}

/**
 * Finds the users that keep a provider from being deleted. A provider without components has none:
 * objects with its label belong to other instances then. If another instance remains, only users in
 * namespaces count that it does not watch. Throws PhaseError if the search fails.
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
  const hasRemaining = state.layout !== undefined && remainingInstances(family).length > 0;
  const abandoned = hasRemaining && { abandoned: abandonedNamespaces(family) };
  const users = await findUsers(self, { others, crds, services, client, ...abandoned });
  if (users.count === 0) return undefined;
  const wayOut = hasRemaining
    ? "let another instance claim their namespaces, or delete them first"
    : "delete them first";
  return { ...users, wayOut };
}
