import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { parseArguments } from "../parse-arguments.ts";
import { releaseText } from "../releases/release-text.ts";

/** A provider whose release a command prints the files of. */
export interface ReleaseCommand {
  readonly name: string;
  readonly description: string;
  /** The file that is printed where none is named. */
  readonly file: string;
  readonly release: (options: { image: string }) => ReadonlyMap<string, readonly object[]>;
}

interface Options {
  readonly file: string;
  readonly image: string;
}

/** Prints one file of a release, its variables still in it. */
export function printReleaseFile(
  args: readonly string[],
  io: CommandIo,
  { name, description, file: usual, release }: ReleaseCommand,
): void {
  const { file, image } = parseArguments(args, io, (command) =>
    command
      .name(name)
      .description(description)
      .option("--file <name>", "which file it is", usual)
      .option("--image <image>", "the image of Rookery", `rookery:${packageJson.version}`)
      .addHelpText("after", examplesOf(name, usual)),
  ).opts<Options>();
  const files = release({ image });
  const documents = files.get(file);
  if (!documents) {
    throw new UsageError(
      `--file "${file}" is not there: there are ${[...files.keys()].join(", ")}.`,
    );
  }
  io.write(releaseText(documents));
}

function examplesOf(name: string, file: string): string {
  return `
Examples:
  ${name} > ${file}
  ${name} --file metadata.yaml > metadata.yaml
  ${name} --image registry.example.com/rookery:1.0`;
}
