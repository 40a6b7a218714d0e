import { readFile } from "node:fs/promises";
import { renderOperatorRbac } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { formatManifests } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";

interface Options {
  readonly filename: readonly string[];
  readonly namespace: string;
  readonly targetNamespace?: string;
  readonly instance?: readonly string[];
  readonly watchedNamespace?: readonly string[];
}

const examples = `
Examples:
  rookery operator rbac -f core-components.yaml -f infrastructure-components.yaml | kubectl apply -f -
  cat components.yaml | rookery operator rbac -f - --target-namespace capi-system
  rookery operator rbac -f core.yaml -f aws.yaml --instance aws.yaml=capa1-system --instance aws.yaml=capa2-system`;

const repeated = (value: string, values: readonly string[] = []) => [...values, value];

/** One YAML document a role or binding, ready for `kubectl apply -f -`. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { filename, instance, watchedNamespace, ...options } = parseArguments(args, io, (command) =>
    command
      .name("rookery operator rbac")
      .description(
        "Prints the smallest roles with which the operator can install and delete some providers, " +
          "to be applied over those that it comes with.",
      )
      .requiredOption(
        "-f, --filename <file>",
        "a components file of a provider, or - for the input; may be repeated",
        repeated,
      )
      .option("--namespace <name>", "where the operator's pods are", "rookery-system")
      .option(
        "--target-namespace <name>",
        "where the providers are installed, if not where their components say",
      )
      .option(
        "--instance <file=namespace>",
        "where one of several instances lives that divide namespaces, and of which file it is; the " +
          "namespace alone where there is one file; may be repeated",
        repeated,
      )
      .option(
        "--watched-namespace <name>",
        "a namespace that instances have rights in alone (spec.watch.rbac: Namespaced); may be repeated",
        repeated,
      )
      .addHelpText("after", examples),
  ).opts<Options>();
  const read = (file: string) => (file === "-" ? io.readInput() : readFile(file, "utf8"));
  const placed = instancesOf(filename, instance);
  const files = await Promise.all(
    filename.map(async (file) => ({ text: await read(file), instances: placed.get(file) ?? [] })),
  );
  const watched = watchedNamespace && { watchedNamespaces: watchedNamespace };
  const rbac = await renderOperatorRbac(files, { ...options, ...watched, env: io.env });
  io.write(formatManifests(rbac));
}

/** The namespaces of instances by the file that they are of. Throws UsageError. */
function instancesOf(
  files: readonly string[],
  instances: readonly string[] = [],
): ReadonlyMap<string, readonly string[]> {
  const placed = instances.map((instance) => {
    const at = instance.lastIndexOf("=");
    const [file, namespace] = [instance.slice(0, Math.max(0, at)), instance.slice(at + 1)];
    const [only] = files;
    if (at < 0 && only !== undefined && files.length === 1) return { file: only, namespace };
    if (files.includes(file) && namespace !== "") return { file, namespace };
    throw new UsageError(
      `--instance "${instance}" must be <file>=<namespace>, with one of the files of -f.`,
    );
  });
  const byFile = Map.groupBy(placed, ({ file }) => file);
  return new Map(
    [...byFile].map(([file, found]) => [file, found.map(({ namespace }) => namespace)]),
  );
}
