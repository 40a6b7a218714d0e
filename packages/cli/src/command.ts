/** A command is data; its code is imported when it is called, so that the others cost nothing. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

interface CommandModule {
  /** Returns what goes to standard output. */
  run(): string | Promise<string>;
}

export const commands: readonly CommandSpec[] = [
  {
    name: "crds",
    summary: "print the CustomResourceDefinitions of every kind that Rookery serves",
    load: () => import("./commands/crds.ts"),
  },
];
