import type { Provider } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import {
  intersection,
  isEmpty,
  minus,
  type NamespaceSet,
  noNamespaces,
  setOfFields,
} from "../../identity/namespace-set.ts";
import { claimOf } from "../family.ts";
import type { InstanceNamespaces, UnmetClaim } from "./shard-report.ts";

/** Reasons of Ready that pass without a change: then the instance will watch all that its spec claims. */
const passing: ReadonlySet<string> = new Set([
  "WaitingForHandOver",
  "WaitingForFirst",
  "WaitingForDeployments",
  "Installing",
  "Upgrading",
]);

/** The namespaces that instances will watch: those that the operator gave them, or that they wait for. */
export function pendingNamespaces(members: readonly Provider[]): readonly InstanceNamespaces[] {
  return claimsOf(members).map(({ provider, instance, claim, reason = "" }) => {
    const { watch } = provider.status ?? {};
    const given = watch ? setOfFields(watch) : noNamespaces;
    return { instance, namespaces: passing.has(reason) ? claim : intersection(claim, given) };
  });
}

/** Claimed namespaces that an instance neither watches nor will watch. */
export function unmetClaims(
  members: readonly Provider[],
  watched: readonly InstanceNamespaces[],
): readonly UnmetClaim[] {
  return claimsOf(members)
    .map(({ instance, claim, reason }) => {
      const own = watched.filter((other) => other.instance === instance);
      const unmet = minus(claim, ...own.map(({ namespaces }) => namespaces));
      return { instance, claim: unmet, ...(reason && { reason }) };
    })
    .filter(({ claim }) => !isEmpty(claim));
}

interface InstanceClaim {
  readonly provider: Provider;
  readonly instance: string;
  readonly claim: NamespaceSet;
  /** The reason of its Ready condition. */
  readonly reason: string | undefined;
}

/** The claims of all instances that are not being deleted. */
function claimsOf(members: readonly Provider[]): readonly InstanceClaim[] {
  const declared = members.map((provider) => ({ provider }));
  return declared
    .filter(({ provider }) => provider.metadata.deletionTimestamp === undefined)
    .map((one) => {
      const { metadata, status } = one.provider;
      return {
        provider: one.provider,
        instance: metadata.namespace ?? "",
        claim: claimOf(one, declared),
        reason: getCondition(status?.conditions, "Ready")?.reason,
      };
    });
}
