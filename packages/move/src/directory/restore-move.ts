import { resolve } from "node:path";
import type { Client } from "@rookery/client";
import { existingProblems, targetProblems } from "../check/check-target.ts";
import { MoveError, rejectProblems } from "../errors.ts";
import { type MovePlan, movePlanOf } from "../graph/move-plan.ts";
import { objectGraphOf } from "../graph/object-graph.ts";
import { createFileJournal, findFileJournal } from "../journal/file-journal.ts";
import type { MoveJournal } from "../journal/journal-state.ts";
import { checkTargetRights, requireReachable } from "../move/check-move.ts";
import {
  entriesOf,
  entryIdentity,
  type MoveReport,
  moveReportOf,
  pausablesOf,
} from "../move/plan-entries.ts";
import { rollBack, rollBackAfter } from "../move/rollback.ts";
import {
  checkNotRollingBack,
  clusterIdentity,
  newState,
  takeOver,
  thisProcess,
} from "../move/take-over.ts";
import { readExisting } from "../read/read-existing.ts";
import { readMovedTypes } from "../read/read-source.ts";
import { createObjects } from "../steps/create-objects.ts";
import { setPaused } from "../steps/pause.ts";
import { readObjects } from "./object-files.ts";

export interface RestoreOptions {
  readonly target: Client;
  readonly folder: string;
  readonly server?: string;
  readonly onProgress?: (text: string) => void;
}

/** Creates the objects of a folder; existing ones are not changed. */
export async function restoreMove(options: RestoreOptions): Promise<MoveReport> {
  const { target, folder } = options;
  const plan = await readFolderPlan(options);
  const found = await findFileJournal(folder);
  if (found) await continueRestore(found, options);
  const journal = found ?? (await begin(options, plan));
  try {
    await restore(options, plan, journal);
  } catch (error) {
    throw await rollBackAfter(
      error,
      { source: undefined, target, journal },
      {
        undone: "everything is as it was before",
        wayOut: () => "run the same command again, or with --rollback to undo it",
      },
    );
  }
  return moveReportOf(journal.state);
}

/** The result that `restoreMove` would have. */
export async function previewRestore(options: RestoreOptions): Promise<MoveReport> {
  const plan = await readFolderPlan(options);
  const entries = entriesOf(plan.objects, () => false);
  return moveReportOf({ namespace: "", entries, left: plan.left });
}

/** Deletes the objects of a killed restore. */
export async function rollBackRestore(options: RestoreOptions): Promise<void> {
  const journal = await findFileJournal(options.folder);
  if (!journal) {
    const why = `could not roll back: no move from ${options.folder} is unfinished`;
    throw new MoveError("InvalidInput", why);
  }
  await takeOver(journal, { namespace: "" }, await destinationOf(options));
  await rollBack({ source: undefined, target: options.target }, journal);
}

async function readFolderPlan({ target, folder }: RestoreOptions): Promise<MovePlan> {
  const objects = await readObjects(folder);
  if (objects.length === 0) {
    throw new MoveError("InvalidInput", `could not move: there are no objects in ${folder}`);
  }
  const types = await requireReachable("target", () => readMovedTypes(target));
  // Without a cluster there is always a plan. A folder has only moved objects.
  const plan = movePlanOf(objectGraphOf(objects, types), {}) ?? { objects: [], left: [] };
  return { ...plan, objects: plan.objects.map(({ stays: _, ...planned }) => planned) };
}

async function destinationOf({ target, server = "" }: RestoreOptions) {
  return { cluster: await requireReachable("target", () => clusterIdentity(target)), server };
}

async function begin(options: RestoreOptions, plan: MovePlan): Promise<MoveJournal> {
  const { target, folder } = options;
  const problems = await targetProblems(target, plan.objects);
  rejectProblems("could not move: the target is not ready", problems);
  await checkTargetRights(target, plan);
  const existing = await readExisting(target, plan.objects);
  rejectProblems("could not move: the target is not ready", existingProblems(existing));
  const entries = entriesOf(plan.objects, (identity) => existing.has(identity));
  const news = new Set(entries.filter(({ existed }) => !existed).map(entryIdentity));
  const paused = pausablesOf(plan.objects).filter((one) => news.has(entryIdentity(one)));
  const destination = await destinationOf(options);
  const { left } = plan;
  const state = newState({
    phase: "Creating",
    namespace: "",
    destination,
    paused,
    entries,
    left,
  });
  return createFileJournal(resolve(folder), state);
}

async function continueRestore(journal: MoveJournal, options: RestoreOptions): Promise<void> {
  await takeOver(journal, { namespace: "" }, await destinationOf(options));
  checkNotRollingBack(journal);
  await journal.save({ holder: thisProcess() });
}

async function restore(
  { target, onProgress = () => {} }: RestoreOptions,
  { objects }: MovePlan,
  journal: MoveJournal,
): Promise<void> {
  onProgress(`Creating ${objects.length} objects at the target`);
  const existing = await readExisting(target, objects);
  await createObjects(target, objects, { existing, uids: new Map(), keepExisting: true });
  await setPaused(target, journal.state.paused, false);
  await journal.close();
}
