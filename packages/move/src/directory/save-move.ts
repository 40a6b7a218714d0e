import { resolve } from "node:path";
import type { Client } from "@rookery/client";
import { missingRights } from "../check/check-rights.ts";
import { sourceProblems } from "../check/check-source.ts";
import { rejectProblems } from "../errors.ts";
import { createClusterJournal, findClusterJournal } from "../journal/cluster-journal.ts";
import type { MoveJournal } from "../journal/journal-state.ts";
import { checkJournalContent } from "../move/check-journal.ts";
import { requireReachable, rightsOn } from "../move/check-move.ts";
import { pauseClusters } from "../move/phases.ts";
import {
  entriesOf,
  type MoveReport,
  moveReportOf,
  pausablesOf,
  placesOf,
} from "../move/plan-entries.ts";
import { rollBackAfter, rollBackUnfinished } from "../move/rollback.ts";
import { newState, takeOver, thisProcess } from "../move/take-over.ts";
import { planReader, type Scope } from "../read/read-plan.ts";
import { inParallel } from "../steps/in-parallel.ts";
import { setPaused } from "../steps/pause.ts";
import { makeFolder, writeObject } from "./object-files.ts";

export interface SaveOptions {
  readonly source: Client;
  readonly scope: Scope;
  readonly folder: string;
  readonly blockTimeoutMs?: number;
  readonly onProgress?: (text: string) => void;
}

/** Writes the objects of a move into a folder while their clusters are paused; deletes nothing. */
export async function saveMove(options: SaveOptions): Promise<MoveReport> {
  const { source, scope } = options;
  const found = await requireReachable("source", () => findClusterJournal(source, scope.namespace));
  if (found) await continueSave(found, options);
  const journal = found ?? (await begin(options));
  if (!journal) return moveReportOf({ ...scope, entries: [], left: [] });
  try {
    await save(options, journal);
  } catch (error) {
    throw await rollBackAfter(
      error,
      { source, target: undefined, journal },
      {
        undone: "no cluster is paused any more",
        wayOut: () => "clusters may be paused: run the same command again, or with --rollback",
      },
    );
  }
  return moveReportOf(journal.state);
}

/** Resumes the clusters of a killed save. Its files stay. */
export function rollBackSave({ source, scope, folder }: SaveOptions): Promise<void> {
  return rollBackUnfinished({ source, target: undefined }, scope, { folder: resolve(folder) });
}

async function begin({ source, scope, folder }: SaveOptions): Promise<MoveJournal | undefined> {
  const plan = await requireReachable("source", planReader(source, scope));
  if (plan.objects.length === 0) return undefined;
  rejectProblems("could not save", sourceProblems(plan.objects));
  const paused = pausablesOf(plan.objects);
  const rights = rightsOn(placesOf(paused), ["patch"]);
  rejectProblems("could not save", await missingRights(source, rights));
  await makeFolder(folder);
  const destination = { folder: resolve(folder) };
  const { left } = plan;
  const state = newState({ ...scope, phase: "Pausing", destination, paused, left });
  return createClusterJournal(source, state);
}

async function continueSave(journal: MoveJournal, options: SaveOptions): Promise<void> {
  await takeOver(journal, options.scope, { folder: resolve(options.folder) });
  await checkJournalContent(options.source, journal, options.scope.namespace);
  await journal.save({ phase: "Pausing", holder: thisProcess() });
}

async function save(options: SaveOptions, journal: MoveJournal): Promise<void> {
  const { source, scope, folder, blockTimeoutMs = 120_000, onProgress = () => {} } = options;
  await makeFolder(folder);
  const readPlan = planReader(source, scope);
  await pauseClusters({ source, readPlan, journal, blockTimeoutMs, onProgress });
  const plan = await readPlan();
  const entries = entriesOf(plan.objects, () => false);
  await journal.save({ phase: "Saving", entries, left: plan.left });
  onProgress(`Writing ${entries.length} objects to ${folder}`);
  await inParallel(plan.objects, ({ object }) => writeObject(folder, object));
  await setPaused(source, journal.state.paused, false);
  await journal.close();
}
