import { type CommandIo, commands } from "../command.ts";
import { type OwnRelease, ownProviders } from "../own-providers.ts";
import { wordsOf } from "./find-commands.ts";

type Run = (args: readonly string[], io: CommandIo) => Promise<number>;

/** Fixed, as help prints defaults that depend on the machine. */
const env = { XDG_DATA_HOME: "/home/me/.local/share" };

/** The text of `--help` of all commands, by their names. */
export async function helpTexts(run: Run): Promise<ReadonlyMap<string, string>> {
  const names = commands.flatMap((spec) => [wordsOf(spec)[0] ?? "", spec.name]);
  const texts = new Map<string, string>();
  for (const name of new Set(["", ...names.toSorted()])) {
    const words = name === "" ? [] : name.split(" ");
    texts.set(name, await printed(run, [...words, "--help"]));
  }
  return texts;
}

/** The manifests of Rookery's own providers, by their paths below `deploy/`. */
export async function shippedManifests(run: Run): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { name, release } of ownProviders) {
    const install = ["install", name];
    if (!release) texts.set(`${name}.yaml`, await printed(run, install));
    for (const file of await releaseFiles(release)) {
      texts.set(`${name}/${file}`, await printed(run, [...install, "--file", file]));
    }
  }
  return texts;
}

async function releaseFiles(release: OwnRelease | undefined): Promise<Iterable<string>> {
  if (!release) return [];
  const render = await release.load();
  return (await render({ image: "rookery" })).keys();
}

async function printed(run: Run, args: readonly string[]): Promise<string> {
  let text = "";
  const write = (chunk: string) => {
    text += chunk;
  };
  const code = await run(args, { write, writeError: write, readInput: async () => "", env });
  if (code !== 0) throw new Error(`could not run rookery ${args.join(" ")}: ${text}`);
  return text;
}
