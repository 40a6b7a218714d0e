import {
  contractOf,
  isContractCompatible,
  parseMetadata,
  versionChange,
} from "@rookery/components";
import { didYouMean } from "@rookery/kube";
import { ProvidersError } from "../errors.ts";
import { formatProviderKey } from "../providers/declared-providers.ts";
import { isSame, type NamedProvider } from "../providers/provider-flags.ts";
import type { UpgradeItem, UpgradePlan } from "./plan-upgrade.ts";
import type { UpgradeInfo } from "./upgrade-info.ts";

/**
 * The plan for named providers and versions. All other providers must fit the core's contract. Throws
 * ProvidersError with all problems, and FetchError.
 */
export async function customPlan(
  family: readonly UpgradeInfo[],
  named: readonly NamedProvider[],
): Promise<UpgradePlan> {
  const problems: string[] = [];
  const items: UpgradeItem[] = [];
  for (const one of named) {
    const instances = family.filter(({ key }) => isSame(key, one));
    if (instances.length === 0) {
      const names = family.filter(({ key }) => key.kind === one.kind).map(({ key }) => key.name);
      problems.push(`${one.kind} ${one.name} is not there${didYouMean(one.name, names)}`);
    }
    for (const info of instances) {
      const item = await itemFor(info, one.version);
      if (typeof item === "string") problems.push(item);
      else items.push(item);
    }
  }
  const core = family.find(({ key }) => key.kind === "CoreProvider");
  const contract =
    items.find(({ key }) => key.kind === "CoreProvider")?.contract ?? core?.contract ?? "";
  problems.push(...misfits(family, items, contract));
  if (problems.length > 0) throw new ProvidersError("upgrade", problems);
  return { contract, changesContract: contract !== core?.contract, items, blockedBy: [] };
}

/** The planned version of a provider, or its problem. */
async function itemFor(
  { key, source, current, newer, contract }: UpgradeInfo,
  version: string | undefined,
): Promise<UpgradeItem | string> {
  const to = version ?? newer.find((release) => release.contract === contract)?.version;
  if (to === undefined) return `${formatProviderKey(key)} has nothing newer than ${current}`;
  const change = versionChange(current, to);
  if (change === "downgrade") {
    return `${formatProviderKey(key)} is ${current}, and ${to} is older; a provider can go back within one minor version alone`;
  }
  if (change === "none") return `${formatProviderKey(key)} is ${to} already`;
  return {
    key,
    from: current,
    to,
    contract: contractOf(parseMetadata(await source.metadata(to)), to),
  };
}

function misfits(
  family: readonly UpgradeInfo[],
  items: readonly UpgradeItem[],
  core: string,
): readonly string[] {
  return family.flatMap(({ key, provider, contract: now }) => {
    const item = items.find((one) => one.key === key);
    const contract = item?.contract ?? now;
    const policy = provider.spec?.contractPolicy;
    if (isContractCompatible({ core, provider: contract }, policy)) return [];
    const would = item ? `would abide by ${contract}` : `abides by ${contract}`;
    return `${formatProviderKey(key)} ${would}, and the core by ${core}; name a version of ${core} for it`;
  });
}
