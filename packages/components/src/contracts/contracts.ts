import type { ProviderSpec } from "../spec/provider-spec.ts";
import { compareVersions, parseVersion } from "../versions/semantic-version.ts";

/**
 * The allowed contracts of a provider: that of the core (Equal), or also older ones that the core still
 * serves (Compatible, as in clusterctl).
 */
type ContractPolicy = NonNullable<ProviderSpec["contractPolicy"]>;

/** The older contracts of providers that a core supports (clusterctl v1.11 and newer). */
const compatible: Readonly<Record<string, readonly string[]>> = { v1beta2: ["v1beta1"] };

/** Whether a provider can run under a core. */
export function isContractCompatible(
  contracts: { readonly core: string; readonly provider: string },
  policy: ContractPolicy = "Equal",
): boolean {
  const { core, provider } = contracts;
  if (core === provider) return true;
  const others = Object.hasOwn(compatible, core) ? compatible[core] : undefined;
  return policy === "Compatible" && others?.includes(provider) === true;
}

/** The kind of a version change; a revert goes back within one minor version. */
type VersionChange = "none" | "upgrade" | "revert" | "downgrade";

/** Throws VersionError. */
export function versionChange(from: string, to: string): VersionChange {
  const [before, after] = [parseVersion(from), parseVersion(to)];
  const order = compareVersions(after, before);
  if (order >= 0) return order === 0 ? "none" : "upgrade";
  return before.major === after.major && before.minor === after.minor ? "revert" : "downgrade";
}
