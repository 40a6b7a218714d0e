import type { Client } from "@rookery/client";
import { hasConditionStatus } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import { ProvidersError } from "../errors.ts";
import { findProvider, patchSpec } from "../providers/declared-providers.ts";
import type { JournalItem, JournalStore, UpgradeJournal } from "./journal.ts";

interface UndoTools {
  readonly client: Client;
  readonly io: CommandIo;
  readonly journals: JournalStore;
}

/**
 * Leaves no provider paused for an upgrade that can't be made: where none has changed yet, versions are
 * put back and all go on. Where some have, going on is the only way, and the journal stays for it.
 * Resolves to the error to show; what is no failure of the upgrade is not touched.
 */
export async function undoUpgrade(
  journal: UpgradeJournal,
  error: unknown,
  { client, io, journals }: UndoTools,
): Promise<unknown> {
  if (!(error instanceof ProvidersError)) return error;
  const { items, pausing, request } = journal;
  if (pausing.length === 0) {
    // The operator has brought back what ran before, or says why not; nothing has to be undone.
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
  io.writeError("Nothing has changed: all providers go on as they were.\n");
  return error;
}

async function areUnchanged(items: readonly JournalItem[], client: Client): Promise<boolean> {
  const providers = await Promise.all(items.map(({ key }) => findProvider(client, key)));
  return items.every(({ from }, index) => {
    const { installedVersion, conditions } = providers[index]?.status ?? {};
    return installedVersion === from && hasConditionStatus(conditions, "ProviderInstalled", "True");
  });
}
