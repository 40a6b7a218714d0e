import { rookery } from "../src/program.ts";

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What its standard input holds. */
  readonly input?: string;
  /** How wide the terminal is; there is none where absent. */
  readonly columns?: number;
}

/** Calls the command line in this process: what it printed, and with which code it ended. */
export async function run(args: string | readonly string[], options: RunOptions = {}) {
  const seen = { output: "", errors: "" };
  const { columns } = options;
  const code = await rookery(typeof args === "string" ? args.split(" ") : args, {
    write: (text) => {
      seen.output += text;
    },
    writeError: (text) => {
      seen.errors += text;
    },
    readInput: async () => options.input ?? "",
    ...(columns !== undefined && { terminal: { columns: () => columns } }),
    env: options.env ?? {},
  });
  return { code, ...seen };
}
