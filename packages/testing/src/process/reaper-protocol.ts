/** Something that must not outlive the process that asked for it. */
export type Guarded =
  | { readonly kind: "process"; readonly pid: number; readonly identity: string }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "command"; readonly command: string; readonly args: readonly string[] };

/** One line to the reaper each, answered by a line with the same id once it is on record. */
export type ReaperMessage =
  | { readonly id: number; readonly guard: Guarded }
  | { readonly id: number; readonly release: number };
