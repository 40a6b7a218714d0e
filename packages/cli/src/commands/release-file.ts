import { Document, isPair, visit } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { parseArguments } from "../parse-arguments.ts";

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
      .option("--image <image>", "the image of Rookery", `rookery:${packageJson.version}`),
  ).opts<Options>();
  const files = release({ image });
  const documents = files.get(file);
  if (!documents) {
    throw new UsageError(
      `--file "${file}" is not there: there are ${[...files.keys()].join(", ")}.`,
    );
  }
  for (const document of documents) io.write(`---\n${textOf(document)}`);
}

/**
 * Quoted, so that what replaces a variable stays a string, whatever it looks like; in Secrets as
 * literal blocks, where it may hold quotes as well. A variable whose default is a
 * number, or says itself that it is text, stands for itself.
 */
function textOf(manifest: object): string {
  const document = new Document(manifest, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node, path) {
      if (!String(node.value).includes("${") || /^\$\{\w+:=(\d+|"")\}$/.test(String(node.value)))
        return;
      const isSecret = path.some((one) => isPair(one) && String(one.key) === "stringData");
      node.type = isSecret ? "BLOCK_LITERAL" : "QUOTE_SINGLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}
