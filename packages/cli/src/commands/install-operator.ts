import { renderOperator } from "@rookery/operator";
import packageJson from "../../package.json" with { type: "json" };
import { defineCommand } from "../define-command.ts";
import { UsageError } from "../errors.ts";
import { repeated, wholeNumber } from "../flags.ts";
import { formatManifests } from "../output/forms.ts";

interface Options {
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
  readonly env: readonly string[];
}

/** Prints the manifests of the operator. */
export const run = defineCommand<Options>({
  description: "Prints the manifests of the provider operator.",
  examples: `  rookery install operator | kubectl apply --server-side -f -
  rookery install operator --image registry.example.com/rookery:1.0 --replicas 1
  rookery install operator --env HTTPS_PROXY=http://proxy.example.com:3128`,
  declare: (command) =>
    command
      .option("--namespace <name>", "the namespace of its pods", "rookery-system")
      .option("--image <image>", "the image of Rookery", `rookery:${packageJson.version}`)
      .option(
        "--replicas <count>",
        "the number of pods, of which one is active",
        wholeNumber("--replicas", 999),
        2,
      )
      .option(
        "--env <name=value>",
        "a variable of its environment, such as HTTPS_PROXY or one of components; may be repeated",
        repeated,
        [],
      ),
  async run({ env, ...options }, io) {
    const variables = Object.fromEntries(env.map(parseVariable));
    io.write(formatManifests(await renderOperator({ ...options, env: variables })));
  },
});

function parseVariable(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`--env "${text}" is not name=value.`);
}
