import type { Client } from "@rookery/client";
import { hasConditionStatus } from "@rookery/kube";
import { ProvidersError } from "../errors.ts";
import { findProvider, patchSpec } from "../providers/declared-providers.ts";
import type { JournalItem, UpgradeJournal, UpgradeTools } from "./journal.ts";

/**
 * Undoes a failed upgrade: if no provider has changed yet, the versions are restored and the providers
 * started again. Otherwise the journal stays, as the upgrade can only be completed. Returns the error.
 */
export async function undoUpgrade(
  journal: UpgradeJournal,
  error: unknown,
  { client, io, journals }: UpgradeTools,
): Promise<unknown> {
  if (!(error instanceof ProvidersError)) return error;
  const { items, pausing, request } = journal;
  if (pausing.length === 0) {
    // The operator has rolled back by itself, or reports why not.
    await journals.end();
    return error;
  }
  if (!(await areUnchanged(items, client))) {
    io.writeError(
      "Some providers have changed already, and the others have to follow: correct what is named below, " +
        `and run "rookery upgrade apply ${request}" again. Until then all of them stay paused.\n`,
    );
    return error;
  }
  for (const { key, from } of items) await patchSpec(client, key, { version: from });
  for (const key of pausing) await patchSpec(client, key, { paused: null });
  await journals.end();
  io.writeError("Nothing has changed: all providers run as before.\n");
  return error;
}

async function areUnchanged(items: readonly JournalItem[], client: Client): Promise<boolean> {
  const providers = await Promise.all(items.map(({ key }) => findProvider(client, key)));
  return items.every(({ from }, index) => {
    const { installedVersion, conditions } = providers[index]?.status ?? {};
    return installedVersion === from && hasConditionStatus(conditions, "ProviderInstalled", "True");
  });
}
