import { type Client, ignoreNotFound } from "@rookery/client";
import { objectKeyOf } from "@rookery/kube";
import { MoveError } from "../errors.ts";
import type { MoveJournal } from "../journal/journal-state.ts";
import { inParallel } from "../steps/in-parallel.ts";
import { copyManager, setManagers } from "../steps/managed-fields.ts";
import { setPaused } from "../steps/pause.ts";
import { retry } from "../steps/retry.ts";
import { deleteCreated } from "./phases.ts";

/** Whether everything is still at the source. */
export function canRollBack({ state }: MoveJournal): boolean {
  return ["Pausing", "Creating", "Saving", "RollingBack"].includes(state.phase);
}

interface RollbackSides {
  /** Where clusters are paused; undefined where they came from files. */
  readonly source: Client | undefined;
  /** Undefined where nothing was created anywhere. */
  readonly target: Client | undefined;
}

/** Undoes a move: what it created is deleted, what it changed is as before, and clusters go on. */
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

/** What the target had before the move gets its old content back, and its fields their old managers. */
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
