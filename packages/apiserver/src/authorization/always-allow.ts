import { systemUsers } from "../request/user.ts";
import type { Authorizer } from "./authorizer.ts";

/** Allows paths that are no resources to everyone; a "*" at the end stands for any rest. */
export function alwaysAllowPaths(paths: readonly string[]): Authorizer {
  const exact = new Set(paths.filter((path) => !path.endsWith("*")));
  const prefixes = paths.filter((path) => path.endsWith("*")).map((path) => path.slice(0, -1));
  return ({ isResourceRequest, path }) => {
    const allowed = exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
    return { decision: allowed && !isResourceRequest ? "Allow" : "NoOpinion" };
  };
}

/** Allows everything to the members of these groups. */
export function privilegedGroups(
  groups: readonly string[] = [systemUsers.privilegedGroup],
): Authorizer {
  return ({ user }) => {
    const isMember = user.groups.some((group) => groups.includes(group));
    return { decision: isMember ? "Allow" : "NoOpinion" };
  };
}
