import type { CommandIo } from "../command.ts";
import type { CommandTools } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import { type FoundOperator, findOperator } from "../operator/find-operator.ts";
import { upgradeOperator } from "../operator/install-operator.ts";
import { JournalStore, type UpgradeJournal } from "./journal.ts";
import { runUpgrade } from "./run-upgrade.ts";
import { startUpgrade, type UpgradeRequest } from "./start-upgrade.ts";

export interface ApplyTools extends CommandTools {
  readonly timeoutSeconds: number;
}

/**
 * Makes an upgrade, or resumes the same one that was killed. Returns its journal; undefined where nothing
 * had to change. Throws ProvidersError, FetchError and WaitError.
 */
export async function applyUpgrade(
  request: UpgradeRequest,
  tools: ApplyTools,
): Promise<UpgradeJournal | undefined> {
  const { client, io, config, timeoutSeconds } = tools;
  const { namespace, env: operatorEnv } = await upgradedOperator(tools);
  const journals = new JournalStore(client, namespace);
  const journal =
    (await unfinishedUpgrade(journals, request, io)) ??
    (await startUpgrade(request, { client, io, config, journals, operatorEnv }));
  if (journal) await runUpgrade(journal, { client, io, journals, timeoutSeconds });
  return journal;
}

async function upgradedOperator(tools: ApplyTools): Promise<FoundOperator> {
  const found = await findOperator(tools.client);
  if (found) {
    await upgradeOperator(found, tools);
    return found;
  }
  throw new ProvidersError("upgrade", ['there is no operator; "rookery init" installs it']);
}

/** The journal of an upgrade that was killed. Throws ProvidersError if its request was another one. */
async function unfinishedUpgrade(
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
