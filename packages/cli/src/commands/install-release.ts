import { defaultComponentsFile } from "@rookery/components";
import packageJson from "../../package.json" with { type: "json" };
import type { CommandModule } from "../command.ts";
import { defineCommand } from "../define-command.ts";
import { ownRelease } from "../own-providers.ts";
import { releaseDocuments, releaseText } from "../releases/own-release.ts";

interface Options {
  readonly file: string;
  readonly image: string;
}

/** Prints a file of the release of one of Rookery's own providers, without replacing variables. */
export function releaseCommand(provider: string, description: string): CommandModule["run"] {
  const [{ kind }] = ownRelease(provider).providers;
  const components = defaultComponentsFile(kind);
  const name = `rookery install ${provider}`;
  return defineCommand<Options>({
    description,
    examples: `  ${name} > ${components}
  ${name} --file metadata.yaml > metadata.yaml
  ${name} --image registry.example.com/rookery:1.0`,
    declare: (command) =>
      command
        .option("--file <name>", "the name of the file", components)
        .option("--image <image>", "the image of Rookery", `rookery:${packageJson.version}`),
    run: async ({ file, image }, io) =>
      io.write(releaseText(await releaseDocuments(provider, { file, image }))),
  });
}
