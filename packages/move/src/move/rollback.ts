import { type Client, ignoreNotFound } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { objectKeyOf } from "@rookery/kube";
import { MoveError } from "../errors.ts";
import { findClusterJournal } from "../journal/cluster-journal.ts";
import type { MoveDestination, MoveJournal } from "../journal/journal-state.ts";
import type { Scope } from "../read/read-plan.ts";
import { inParallel } from "../steps/in-parallel.ts";
import { copyManager, setManagers } from "../steps/managed-fields.ts";
import { setPaused } from "../steps/pause.ts";
import { retry } from "../steps/retry.ts";
import { checkJournalContent } from "./check-journal.ts";
import { requireReachable } from "./check-move.ts";
import { deleteCreated } from "./phases.ts";
import { takeOver } from "./take-over.ts";

function canRollBack({ state }: MoveJournal): boolean {
  return ["Pausing", "Creating", "Saving", "RollingBack"].includes(state.phase);
}

interface RollbackSides {
  /** With paused clusters; undefined if the objects are from files. */
  readonly source: Client | undefined;
  /** Undefined if no objects are created. */
  readonly target: Client | undefined;
}

/** Undoes a move: deletes created objects, restores changed ones, and resumes clusters. */
export async function rollBack(
  { source, target }: RollbackSides,
  journal: MoveJournal,
): Promise<void> {
  if (!canRollBack(journal)) {
    throw new MoveError(
      "Refused",
      "could not roll back: everything is at the target already, and is being deleted at the source; " +
        "run the command again without --rollback to finish the move",
    );
  }
  const { phase, entries } = journal.state;
  if (phase !== "RollingBack") await journal.save({ phase: "RollingBack" });
  if (target && entries.length > 0) {
    await deleteCreated(target, journal, entries);
    await restore(target, journal);
  }
  if (source) await setPaused(source, journal.state.paused, false);
  await journal.close();
}

/** Rolls the unfinished move of a namespace back. Throws MoveError if there is none. */
export async function rollBackUnfinished(
  sides: RollbackSides & { readonly source: Client },
  scope: Scope,
  destination: MoveDestination,
): Promise<void> {
  const { source } = sides;
  const { namespace } = scope;
  const journal = await requireReachable("source", () => findClusterJournal(source, namespace));
  if (!journal) {
    const why = `could not roll back: no move in namespace ${namespace} is unfinished`;
    throw new MoveError("InvalidInput", why);
  }
  await takeOver(journal, scope, destination);
  await checkJournalContent(source, journal, namespace);
  await rollBack(sides, journal);
}

/** Rolls a failed move back if possible; returns the error with the result and the way out. */
export async function rollBackAfter(
  error: unknown,
  sides: RollbackSides & { readonly journal: MoveJournal },
  texts: { readonly undone: string; readonly wayOut: (failure: unknown) => string },
): Promise<MoveError> {
  const { journal } = sides;
  const message = messageOf(error);
  const reason = error instanceof MoveError ? error.reason : "Failed";
  const failed = (text: string) => new MoveError(reason, text, { cause: error });
  if (reason === "JournalLost") return failed(message);
  if (!canRollBack(journal)) return failed(`${message}; run the same command again to go on`);
  try {
    await rollBack(sides, journal);
    return failed(`${message}; ${texts.undone}`);
  } catch (failure) {
    return failed(`${message}; ${texts.wayOut(failure)}`);
  }
}

/** Restores the content and the field managers of objects that the target had before. */
async function restore(target: Client, { state }: MoveJournal): Promise<void> {
  await inParallel(state.before, async ({ resource, object }) => {
    const resources = target.resource(resource);
    const fieldManager = copyManager;
    const restored = retry(async () => {
      const { resourceVersion = "" } = (await resources.get(objectKeyOf(object))).metadata;
      const metadata = { ...object.metadata, resourceVersion };
      await resources.update({ ...object, metadata }, { fieldManager });
      await setManagers(target, { resource, object }, object.metadata.managedFields ?? []);
    });
    await ignoreNotFound(restored);
  });
}
