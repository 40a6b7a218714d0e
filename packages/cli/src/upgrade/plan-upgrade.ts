import { isContractCompatible } from "@rookery/components";
import type { ProviderKey } from "../providers/declared-providers.ts";
import type { UpgradeInfo } from "./upgrade-info.ts";

/** What would become of one provider. */
export interface UpgradeItem {
  readonly key: ProviderKey;
  readonly from: string;
  /** Undefined where there is nothing newer of the contract. */
  readonly to?: string;
  /** The contract that it abides by afterwards. */
  readonly contract: string;
}

/** All providers at the newest releases of one contract. */
export interface UpgradePlan {
  readonly contract: string;
  /** Whether it is another one than that of now, for which all providers are paused. */
  readonly changesContract: boolean;
  readonly items: readonly UpgradeItem[];
  /** Those that have no release of the contract: the plan can't be applied. */
  readonly blockedBy: readonly ProviderKey[];
}

/**
 * A plan for each contract of the core's releases, from the current one on. Providers of other cores
 * have plans of their own: see `familiesOf`.
 */
export function planUpgrades(family: readonly UpgradeInfo[]): readonly UpgradePlan[] {
  const core = family.find(({ key }) => key.kind === "CoreProvider");
  if (!core) return [];
  const contracts = new Set([core.contract, ...core.newer.map(({ contract }) => contract)]);
  return [...contracts]
    .sort()
    .filter((contract) => contract >= core.contract)
    .map((contract) => planContract(family, contract, core.contract));
}

/** Providers by the core that they build on: the one under their own API groups, else the usual one. */
export function familiesOf(infos: readonly UpgradeInfo[]): readonly (readonly UpgradeInfo[])[] {
  const suffixOf = ({ provider }: UpgradeInfo) => provider.spec?.apiGroupSuffix ?? "";
  const cores = new Set(infos.filter(({ key }) => key.kind === "CoreProvider").map(suffixOf));
  const families = Map.groupBy(infos, (info) => (cores.has(suffixOf(info)) ? suffixOf(info) : ""));
  return [...families.values()];
}

function planContract(
  family: readonly UpgradeInfo[],
  contract: string,
  current: string,
): UpgradePlan {
  const items = family.map((info) => itemOf(info, contract)).toSorted(inClusterctlsOrder);
  const isStuck = ({ key, contract: provider }: UpgradeItem) =>
    !isContractCompatible({ core: contract, provider }, policyOf(family, key));
  const blockedBy = items.filter(isStuck).map(({ key }) => key);
  return { contract, changesContract: contract !== current, items, blockedBy };
}

/** The newest release of the contract; where its policy lets it, of an older one that still fits. */
function itemOf(
  { key, provider, current, contract, newer }: UpgradeInfo,
  core: string,
): UpgradeItem {
  const exact = newer.find((release) => release.contract === core);
  const policy = provider.spec?.contractPolicy;
  const fitting = newer.find((release) =>
    isContractCompatible({ core, provider: release.contract }, policy),
  );
  const next = exact ?? fitting;
  return {
    key,
    from: current,
    ...(next && { to: next.version }),
    contract: next?.contract ?? contract,
  };
}

function policyOf(family: readonly UpgradeInfo[], key: ProviderKey) {
  return family.find((info) => info.key === key)?.provider.spec?.contractPolicy;
}

function inClusterctlsOrder({ key: a }: UpgradeItem, { key: b }: UpgradeItem): number {
  const [left, right] = [a, b].map(({ kind, name, namespace }) => `${kind} ${name} ${namespace}`);
  return (left ?? "") < (right ?? "") ? -1 : 1;
}
