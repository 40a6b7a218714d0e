import type { ProviderSpec } from "../spec/provider-spec.ts";
import { compareVersions, parseVersion } from "../versions/semantic-version.ts";

/**
 * How strictly a provider's contract has to be the core's: Equal, as the golden rule says, or
 * Compatible, as clusterctl has it: a core takes providers of the contracts that it still serves.
 */
export type ContractPolicy = NonNullable<ProviderSpec["contractPolicy"]>;

/** Contracts that a core of a newer contract takes from providers (clusterctl v1.11 and newer). */
const compatible: Readonly<Record<string, readonly string[]>> = { v1beta2: ["v1beta1"] };

/** Whether a provider of one contract can run under a core of another. */
export function isContractCompatible(
  contracts: { readonly core: string; readonly provider: string },
  policy: ContractPolicy = "Equal",
): boolean {
  const { core, provider } = contracts;
  if (core === provider) return true;
  const others = Object.hasOwn(compatible, core) ? compatible[core] : undefined;
  return policy === "Compatible" && others?.includes(provider) === true;
}

/** What a change of version is; a revert goes back within one minor version, from a bad patch release. */
export type VersionChange = "none" | "upgrade" | "revert" | "downgrade";

/** Throws VersionError. */
export function versionChange(from: string, to: string): VersionChange {
  const [before, after] = [parseVersion(from), parseVersion(to)];
  const order = compareVersions(after, before);
  if (order >= 0) return order === 0 ? "none" : "upgrade";
  return before.major === after.major && before.minor === after.minor ? "revert" : "downgrade";
}
