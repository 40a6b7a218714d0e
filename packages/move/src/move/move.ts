import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { MoveError } from "../errors.ts";
import type { MovePlan } from "../graph/move-plan.ts";
import { createClusterJournal, findClusterJournal } from "../journal/cluster-journal.ts";
import type { MoveDestination, MoveJournal } from "../journal/journal-state.ts";
import { planReader, type Scope } from "../read/read-plan.ts";
import { checkJournalContent } from "./check-journal.ts";
import { checkMove, requireReachable } from "./check-move.ts";
import {
  checkArrived,
  createAtTarget,
  deleteAtSource,
  pauseClusters,
  type RunningMove,
  resumeBoth,
} from "./phases.ts";
import { entriesOf, type MoveReport, moveReportOf, pausablesOf } from "./plan-entries.ts";
import { rollBackAfter, rollBackUnfinished } from "./rollback.ts";
import {
  checkNotRollingBack,
  clusterIdentity,
  newState,
  takeOver,
  thisProcess,
} from "./take-over.ts";

export interface MoveOptions extends Scope {
  readonly source: Client;
  readonly target: Client;
  /** The address of the target, for messages. */
  readonly server?: string;
  /** The time to wait for objects that are not ready to move; 120 s by default. */
  readonly blockTimeoutMs?: number;
  readonly onProgress?: (text: string) => void;
}

/**
 * Moves objects from one management cluster to another, or continues a killed move.
 *
 * Flow: check, journal, pause, create with new uids, delete, unpause. Guarantees: the same call continues a
 * move that was killed anywhere; an object is deleted only after it was created; a failure before the
 * first deletion is rolled back. Rejects with MoveError.
 */
export async function move(options: MoveOptions): Promise<MoveReport> {
  const { source } = options;
  const destination = await destinationOf(options);
  const found = await requireReachable("source", () =>
    findClusterJournal(source, options.namespace),
  );
  if (found) await continueMove(found, options, destination);
  const readPlan = planReader(source, scopeOf(options));
  const journal = found ?? (await begin(options, { destination, readPlan }));
  if (!journal) return moveReportOf({ ...scopeOf(options), entries: [], left: [] });
  const { target, blockTimeoutMs = 120_000, onProgress = () => {} } = options;
  const running = { source, target, readPlan, journal, blockTimeoutMs, onProgress };
  try {
    await run(running);
  } catch (error) {
    throw await rollBackAfter(error, running, {
      undone: "everything is as it was before",
      wayOut: (failure) =>
        `what was done could not be undone (${messageOf(failure)}); ` +
        "run the same command with --rollback to undo it",
    });
  }
  return moveReportOf(journal.state);
}

/** The result that a move would have, with its checks if there is a target. */
export async function previewMove(
  options: Omit<MoveOptions, "target"> & { readonly target?: Client },
): Promise<MoveReport> {
  const { source, target } = options;
  const plan = await requireReachable("source", planReader(source, scopeOf(options)));
  if (target) {
    await destinationOf({ ...options, target });
    await checkMove({ source, target }, plan);
  }
  const entries = entriesOf(plan.objects, () => false);
  return moveReportOf({ ...scopeOf(options), entries, left: plan.left });
}

/** Rolls a killed move back. Rejects with MoveError if there is none, or it is too late. */
export async function rollBackMove(options: MoveOptions): Promise<void> {
  const { source, target } = options;
  await rollBackUnfinished({ source, target }, scopeOf(options), await destinationOf(options));
}

async function destinationOf({
  source,
  target,
  server = "",
}: MoveOptions): Promise<MoveDestination> {
  const [here, there] = await Promise.all([
    requireReachable("source", () => clusterIdentity(source)),
    requireReachable("target", () => clusterIdentity(target)),
  ]);
  if (here !== "" && here === there) {
    const why =
      "could not move: source and target are the same cluster; --to-kubeconfig names the target";
    throw new MoveError("InvalidInput", why);
  }
  return { cluster: there, server };
}

async function begin(
  options: MoveOptions,
  { destination, readPlan }: { destination: MoveDestination; readPlan: () => Promise<MovePlan> },
): Promise<MoveJournal | undefined> {
  const { source, target } = options;
  const plan = await requireReachable("source", readPlan);
  if (plan.objects.length === 0) return undefined;
  await checkMove({ source, target }, plan);
  const paused = pausablesOf(plan.objects);
  const { left } = plan;
  const state = newState({ ...scopeOf(options), phase: "Pausing", destination, paused, left });
  return createClusterJournal(source, state);
}

async function continueMove(
  journal: MoveJournal,
  options: MoveOptions,
  destination: MoveDestination,
): Promise<void> {
  await takeOver(journal, scopeOf(options), destination);
  await checkJournalContent(options.source, journal, options.namespace);
  checkNotRollingBack(journal);
  options.onProgress?.(`Going on with the move that began ${journal.state.startedAt}`);
  await journal.save({ holder: thisProcess() });
}

async function run(running: RunningMove): Promise<void> {
  const { journal } = running;
  const plan = journal.state.phase === "Pausing" ? await pauseClusters(running) : undefined;
  if (["Pausing", "Creating"].includes(journal.state.phase)) {
    await createAtTarget(running, plan);
    await checkArrived(running);
    await journal.save({ phase: "Deleting" });
  }
  if (journal.state.phase === "Deleting") {
    await deleteAtSource(running);
    await journal.save({ phase: "Resuming" });
  }
  await resumeBoth(running);
  await journal.close();
}

function scopeOf({ namespace, cluster }: Scope): Scope {
  return { namespace, ...(cluster !== undefined && { cluster }) };
}
