/**
 * Moves Cluster API objects between management clusters like clusterctl, with a journal.
 *
 * `graph/` decides without I/O which objects are moved, in which order; `read/` lists objects, `check/` finds
 * obstacles, and the `steps/` change objects and can be repeated. `journal/` records the progress of a move;
 * `move/` and `directory/` are the state machines over it.
 */
export {
  previewRestore,
  type RestoreOptions,
  restoreMove,
  rollBackRestore,
} from "./directory/restore-move.ts";
export { rollBackSave, type SaveOptions, saveMove } from "./directory/save-move.ts";
export { MoveError, type MoveReason } from "./errors.ts";
export type { LeftObject } from "./graph/left-objects.ts";
export { type MoveOptions, move, previewMove, rollBackMove } from "./move/move.ts";
export type { MoveReport } from "./move/plan-entries.ts";
