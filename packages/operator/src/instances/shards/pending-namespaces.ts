import type { Provider } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import {
  allBut,
  everyNamespace,
  intersection,
  isEmpty,
  minus,
  type NamespaceSet,
  noNamespaces,
  only,
} from "../../identity/namespace-set.ts";
import { claimOf } from "../family.ts";
import type { SeenClaim, SeenTaker } from "./shard-report.ts";

type Watch = NonNullable<NonNullable<Provider["status"]>["watch"]>;

/** Reasons of Ready that pass by themselves: then an instance watches all that its spec claims. */
const passing: ReadonlySet<string> = new Set([
  "WaitingForHandOver",
  "WaitingForFirst",
  "WaitingForDeployments",
  "Installing",
  "Upgrading",
]);

/**
 * Which of the instances are about to watch which namespaces: those that the operator has given them
 * already, and those that they claim and wait for.
 */
export function takersAmong(members: readonly Provider[]): readonly SeenTaker[] {
  const declared = members.map((provider) => ({ provider }));
  return declared
    .filter(({ provider }) => provider.metadata.deletionTimestamp === undefined)
    .map((one) => {
      const { metadata, status } = one.provider;
      const claim = claimOf(one, declared);
      const reason = getCondition(status?.conditions, "Ready")?.reason ?? "";
      const given = status?.watch ? namespacesInStatus(status.watch) : noNamespaces;
      const taking = passing.has(reason) ? claim : intersection(claim, given);
      return { instance: metadata.namespace ?? "", taking };
    });
}

/**
 * What instances claim, and neither watch nor are about to: because another one has it, or because they
 * cannot be installed.
 */
export function claimsAmong(
  members: readonly Provider[],
  taken: readonly { readonly instance: string; readonly namespaces: NamespaceSet }[],
): readonly SeenClaim[] {
  const declared = members.map((provider) => ({ provider }));
  return declared
    .filter(({ provider }) => provider.metadata.deletionTimestamp === undefined)
    .map((one) => {
      const { namespace: instance = "" } = one.provider.metadata;
      const reason = getCondition(one.provider.status?.conditions, "Ready")?.reason;
      const own = taken.filter((other) => other.instance === instance);
      const claim = minus(claimOf(one, declared), ...own.map(({ namespaces }) => namespaces));
      return { instance, claim, ...(reason && { reason }) };
    })
    .filter(({ claim }) => !isEmpty(claim));
}

/** The namespaces that the status of an instance names: its pods may still have to start with them. */
export function namespacesInStatus({
  namespaces,
  excludedNamespaces,
}: Omit<Watch, "by" | "first">): NamespaceSet {
  if (namespaces) return only(namespaces);
  return excludedNamespaces ? allBut(excludedNamespaces) : everyNamespace;
}
