import { type CommandIo, commands } from "../command.ts";
import { wordsOf } from "./find-commands.ts";

type Run = (args: readonly string[], io: CommandIo) => Promise<number>;

/** Whatever the machine is: defaults that help tells depend on it. */
const env = { XDG_DATA_HOME: "/home/me/.local/share" };

/** What `--help` says of all of it, by the words it is asked for. */
export async function helpTexts(run: Run): Promise<ReadonlyMap<string, string>> {
  const names = commands.flatMap((spec) => [wordsOf(spec)[0] ?? "", spec.name]);
  const texts = new Map<string, string>();
  for (const name of new Set(["", ...names.toSorted()])) {
    let text = "";
    const write = (chunk: string) => {
      text += chunk;
    };
    const args = name === "" ? ["--help"] : [...name.split(" "), "--help"];
    await run(args, { write, writeError: write, readInput: async () => "", env });
    texts.set(name, text);
  }
  return texts;
}
