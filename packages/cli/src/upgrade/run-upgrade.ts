import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { ProviderSpec } from "@rookery/components";
import { getCondition } from "@rookery/kube";
import { describeReady, type Judgement, judgeReady } from "../progress/judgement.ts";
import {
  findProvider,
  type ProviderKey,
  patchProvider,
  patchSpec,
} from "../providers/declared-providers.ts";
import { followProviders } from "../providers/follow-providers.ts";
import type { JournalItem, UpgradeJournal, UpgradeTools } from "./journal.ts";
import { undoUpgrade } from "./undo-upgrade.ts";

/**
 * Completes an upgrade from the phase of its journal. Throws ProvidersError.
 *
 * Flow: if the contract changes, all providers are paused, changed, and started again when the last has
 * the new contract. Otherwise the core is changed, then the others.
 * Guarantees: every step can be repeated, and the journal is written before each phase; a failure before
 * any change undoes the pause.
 */
export async function runUpgrade(journal: UpgradeJournal, tools: UpgradeTools): Promise<void> {
  const { journals } = tools;
  let now = journal;
  try {
    if (now.phase === "Pausing") {
      await pauseAll(now, tools);
      now = { ...now, phase: "Changing" };
      await journals.save(now);
    }
    if (now.phase === "Changing") {
      await changeAll(now, tools);
      now = { ...now, phase: "Unpausing" };
      await journals.save(now);
    }
  } catch (error) {
    throw await undoUpgrade(now, error, tools);
  }
  await unpauseAll(now, tools);
  await journals.end();
}

async function pauseAll({ pausing }: UpgradeJournal, tools: UpgradeTools): Promise<void> {
  for (const key of await providersWith(pausing, tools.client, (spec) => !spec.paused)) {
    await patchSpec(tools.client, key, { paused: true });
  }
  await follow(pausing, tools, { judge: judgePaused, verb: "pause the providers" });
}

/** Changes all instances of a provider together, as the operator waits while their versions differ. */
async function changeAll({ items, pausing }: UpgradeJournal, tools: UpgradeTools): Promise<void> {
  const isCore = ({ key }: JournalItem) => key.kind === "CoreProvider";
  const groups =
    pausing.length > 0 ? [items] : [items.filter(isCore), items.filter((item) => !isCore(item))];
  for (const group of groups.filter(({ length }) => length > 0)) {
    for (const item of group) await change(tools.client, item);
    const versions = new Map(group.map(({ key, to }) => [key, to]));
    await follow([...versions.keys()], tools, {
      judge: (provider, key) => judgeChanged(provider, versions.get(key) ?? ""),
      verb: "upgrade the providers",
    });
  }
}

/** By a JSON Patch, as a merge would keep labels of the old selector. */
async function change(client: Client, item: JournalItem): Promise<void> {
  const { key, to, fetchConfig, secretName } = item;
  if ((await providersWith([key], client, ({ version }) => version === to)).length > 0) return;
  const fields = {
    version: to,
    ...(fetchConfig && { fetchConfig }),
    ...(secretName && { secretName }),
  };
  const patch = Object.entries(fields).map(
    ([field, value]) => ({ op: "add", path: `/spec/${field}`, value }) as const,
  );
  await patchProvider(client, key, { type: "json", patch });
}

async function unpauseAll({ pausing, items }: UpgradeJournal, tools: UpgradeTools): Promise<void> {
  for (const key of await providersWith(pausing, tools.client, (spec) => spec.paused === true)) {
    await patchSpec(tools.client, key, { paused: null });
  }
  const keys = items.map(({ key }) => key);
  const running =
    pausing.length > 0 ? pausing : await providersWith(keys, tools.client, (spec) => !spec.paused);
  await follow(running, tools, { judge: judgeReady, verb: "start the providers again" });
}

/** The providers whose spec fulfills a condition, so that a resumed upgrade repeats no change. */
async function providersWith(
  keys: readonly ProviderKey[],
  client: Client,
  matches: (spec: ProviderSpec) => boolean,
): Promise<readonly ProviderKey[]> {
  const providers = await Promise.all(keys.map((key) => findProvider(client, key)));
  return keys.filter((_, index) => matches(providers[index]?.spec ?? {}));
}

type Following = Pick<Parameters<typeof followProviders>[1], "judge" | "verb">;

function follow(
  keys: readonly ProviderKey[],
  { client, io, timeoutSeconds }: UpgradeTools,
  following: Following,
): Promise<void> {
  return followProviders(keys, { client, io, timeoutSeconds, ...following });
}

const gone: Judgement = { state: "failed", text: "it is not there any more" };

/** Whether a provider is paused. */
function judgePaused(provider: Provider | undefined): Judgement {
  if (!provider) return gone;
  const { metadata, spec, status } = provider;
  const available = getCondition(status?.conditions, "ProviderAvailable");
  const isSeen = available?.observedGeneration === metadata.generation;
  if (spec?.paused && isSeen && available?.reason === "Paused") {
    return { state: "done", text: "is paused" };
  }
  return { state: "waiting", text: `is being paused (${describeReady(provider)})` };
}

/** Outcomes of a change that the operator does not retry. */
const failures: ReadonlySet<string> = new Set(["RolledBack", "RollBackNotPossible", "Failed"]);

/** Whether a version is installed and, unless the provider is paused, available. */
function judgeChanged(provider: Provider | undefined, to: string): Judgement {
  if (!provider) return gone;
  const { metadata, spec, status } = provider;
  const upgraded = getCondition(status?.conditions, "ProviderUpgraded");
  const seen = upgraded?.observedGeneration === metadata.generation ? upgraded : undefined;
  if (seen && failures.has(seen.reason)) {
    return { state: "failed", text: `${seen.reason}: ${seen.message}` };
  }
  const isThere = seen?.status === "True" && status?.installedVersion === to;
  const ready = getCondition(status?.conditions, "Ready");
  if (isThere && (spec?.paused || ready?.status === "True")) {
    return { state: "done", text: `is ${to}` };
  }
  return { state: "waiting", text: describeReady(provider) };
}
