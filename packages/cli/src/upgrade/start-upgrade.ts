import type { Client } from "@rookery/client";
import { ProvidersError, UsageError } from "../errors.ts";
import { applyManifests } from "../objects.ts";
import { formatProviderKey, listProviders } from "../providers/declared-providers.ts";
import type { NamedProvider } from "../providers/provider-flags.ts";
import { ReleaseSources } from "../releases/release-source.ts";
import { customPlan } from "./custom-plan.ts";
import type { JournalStore, UpgradeJournal } from "./journal.ts";
import { familiesOf, planUpgrades, type UpgradePlan } from "./plan-upgrade.ts";
import { type PrepareTools, prepareUpgrade } from "./prepare-upgrade.ts";
import { readUpgradeInfo, type UpgradeInfo } from "./upgrade-info.ts";

/** A request for a contract, or for versions of some providers. */
export interface UpgradeRequest {
  readonly contract?: string;
  readonly named: readonly NamedProvider[];
  /** The flags of the request. */
  readonly text: string;
}

export interface StartTools extends PrepareTools {
  readonly journals: JournalStore;
}

/** The available releases of all providers, by their cores. Throws FetchError and ProvidersError. */
export async function readFamilies(
  client: Client,
  sources: ReleaseSources,
): Promise<readonly (readonly UpgradeInfo[])[]> {
  const providers = await listProviders(client);
  return familiesOf(await Promise.all(providers.map((one) => readUpgradeInfo(one, sources))));
}

/**
 * Plans an upgrade, applies the objects that it needs and writes its journal; providers do not change
 * yet. Undefined if nothing has to change. Throws ProvidersError and FetchError.
 */
export async function startUpgrade(
  request: UpgradeRequest,
  tools: StartTools,
): Promise<UpgradeJournal | undefined> {
  const { client, io, config, journals } = tools;
  await using sources = new ReleaseSources(config, io, client);
  const [family = [], ...others] = await readFamilies(client, sources);
  if (others.length > 0) {
    throw new ProvidersError("upgrade", [
      "there are several cores with API groups of their own; change spec.version of their providers one by one",
    ]);
  }
  const plan = await choosePlan(request, family);
  const { items, supplies } = await prepareUpgrade(plan, family, tools);
  if (items.length === 0) return undefined;
  await applyManifests(client, supplies);
  const pausing = plan.changesContract
    ? family.filter(({ provider }) => provider.spec?.paused !== true).map(({ key }) => key)
    : [];
  const journal: UpgradeJournal = {
    request: request.text,
    startedAt: new Date().toISOString(),
    contract: plan.contract,
    items,
    pausing,
    phase: pausing.length > 0 ? "Pausing" : "Changing",
  };
  await journals.create(journal);
  return journal;
}

async function choosePlan(
  { contract, named }: UpgradeRequest,
  family: readonly UpgradeInfo[],
): Promise<UpgradePlan> {
  if (contract === undefined && named.length === 0) {
    throw new UsageError(
      'say what to upgrade to: --contract, or names and versions such as --core cluster-api:v1.13.6; "rookery upgrade plan" shows what there is.',
    );
  }
  if (contract === undefined) return customPlan(family, named);
  const plans = planUpgrades(family);
  const plan = plans.find((one) => one.contract === contract);
  if (!plan) {
    const known = plans.map((one) => one.contract).join(", ") || "none";
    throw new ProvidersError("upgrade", [
      `no contract ${contract} can be had (there are: ${known})`,
    ]);
  }
  if (plan.blockedBy.length === 0) return plan;
  const problems = plan.blockedBy.map(
    (key) => `${formatProviderKey(key)} has no release that abides by ${contract}`,
  );
  throw new ProvidersError(`upgrade to ${contract}`, problems);
}
