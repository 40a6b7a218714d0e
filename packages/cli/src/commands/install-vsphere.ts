import { vsphereRelease } from "@rookery/vsphere";
import { Document, isPair, visit } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { parseArguments } from "../parse-arguments.ts";

interface Options {
  readonly file: string;
  readonly image: string;
}

/** One file of a release of the vSphere provider, its variables still in it. */
export function run(args: readonly string[], io: CommandIo): void {
  const { file, image } = parseArguments(args, io, (command) =>
    command
      .name("rookery install vsphere")
      .description(
        "Prints a file of the vSphere provider's release, for clusterctl or a provider operator; " +
          "its variables are left in it.",
      )
      .option("--file <name>", "which file it is", "infrastructure-components.yaml")
      .option("--image <image>", "the image of Rookery", `rookery:${packageJson.version}`),
  ).opts<Options>();
  const release = vsphereRelease({ image });
  const documents = release.get(file);
  if (!documents) {
    throw new UsageError(
      `--file "${file}" is not there: there are ${[...release.keys()].join(", ")}.`,
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
