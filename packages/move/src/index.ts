/**
 * Moves Cluster API objects between management clusters, as clusterctl does and faster, with a journal.
 *
 * `graph/` decides, without I/O, what belongs together, what stays and in which order; `read/` lists what
 * there is, `check/` says what is in the way, `steps/` change things, each step so that it can be done
 * again; `journal/` keeps how far a move is, `move/` and `directory/` are the state machines over it.
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
export type { MoveReport } from "./move/move-report.ts";
