/** Finalizers of the garbage collector. */
export const finalizers = { orphan: "orphan", foreground: "foregroundDeletion" } as const;
