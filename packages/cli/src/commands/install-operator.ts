import { renderOperator } from "@rookery/operator";
import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { formatManifests } from "../output/forms.ts";
import { parseArguments, readReplicas } from "../parse-arguments.ts";

interface Options {
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
  readonly env: readonly string[];
}

const examples = `
Examples:
  rookery install operator | kubectl apply --server-side -f -
  rookery install operator --image registry.example.com/rookery:1.0 --replicas 1
  rookery install operator --env HTTPS_PROXY=http://proxy.example.com:3128`;

/** One YAML document an object, ready for `kubectl apply -f -`. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { env, ...options } = parseArguments(args, io, (command) =>
    command
      .name("rookery install operator")
      .description("Prints the manifests of the provider operator.")
      .option("--namespace <name>", "where its pods are", "rookery-system")
      .option("--image <image>", "the image of Rookery", `rookery:${packageJson.version}`)
      .option("--replicas <count>", "how many pods, of which one works", readReplicas, 2)
      .option(
        "--env <name=value>",
        "a variable of its environment, such as HTTPS_PROXY or one of components; may be repeated",
        (text: string, texts: readonly string[]) => [...texts, text],
        [],
      )
      .addHelpText("after", examples),
  ).opts<Options>();
  const variables = Object.fromEntries(env.map(readVariable));
  io.write(formatManifests(await renderOperator({ ...options, env: variables })));
}

function readVariable(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`--env "${text}" is not name=value.`);
}
