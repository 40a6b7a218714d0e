import type { Client } from "@rookery/client";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import { type BringOptions, bringOperator } from "../operator/bring-operator.ts";
import { type FoundOperator, findOperator } from "../operator/find-operator.ts";
import { beginUpgrade, type UpgradeRequest } from "./begin-upgrade.ts";
import { JournalStore, type UpgradeJournal } from "./journal.ts";
import { runUpgrade } from "./run-upgrade.ts";

export interface ApplyTools {
  readonly client: Client;
  readonly io: CommandIo;
  readonly config: CommandConfig;
  readonly timeoutSeconds: number;
}

/**
 * Makes an upgrade, or goes on with the same one that was killed. Resolves to what it has done;
 * undefined where there was nothing to do. Errors: ProvidersError, FetchError, WaitError.
 */
export async function applyUpgrade(
  request: UpgradeRequest,
  { client, io, config, timeoutSeconds }: ApplyTools,
): Promise<UpgradeJournal | undefined> {
  const { namespace, env: operatorEnv } = await ownOperator(client, { config, io, timeoutSeconds });
  const journals = new JournalStore(client, namespace);
  const journal =
    (await goingOn(journals, request, io)) ??
    (await beginUpgrade(request, { client, io, config, journals, operatorEnv }));
  if (journal) await runUpgrade(journal, { client, io, journals, timeoutSeconds });
  return journal;
}

async function ownOperator(client: Client, options: BringOptions): Promise<FoundOperator> {
  const found = await findOperator(client);
  if (found) {
    await bringOperator(client, found, options);
    return found;
  }
  throw new ProvidersError("upgrade", ['there is no operator; "rookery init" installs it']);
}

/** The upgrade that is under way, if it is the one that is asked for. Errors: ProvidersError. */
async function goingOn(
  journals: JournalStore,
  { text }: UpgradeRequest,
  io: CommandIo,
): Promise<UpgradeJournal | undefined> {
  const journal = await journals.read();
  if (!journal) return undefined;
  const { request, startedAt, phase } = journal;
  if (text !== request && text !== "") {
    throw new ProvidersError("upgrade", [
      `another upgrade began at ${startedAt} and is not done; "rookery upgrade apply ${request}" ends it`,
    ]);
  }
  io.writeError(`Going on with the upgrade that began at ${startedAt} (${phase})\n`);
  return journal;
}
