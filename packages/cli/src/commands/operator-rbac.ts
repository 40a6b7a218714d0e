import { readFile } from "node:fs/promises";
import { renderOperatorRbac } from "@rookery/operator";
import { defineCommand } from "../define-command.ts";
import { UsageError } from "../errors.ts";
import { repeated } from "../flags.ts";
import { formatManifests } from "../output/forms.ts";

interface Options {
  readonly filename: readonly string[];
  readonly namespace: string;
  readonly targetNamespace?: string;
  readonly instance?: readonly string[];
  readonly watchedNamespace?: readonly string[];
}

/** Prints one YAML document for each role and binding. */
export const run = defineCommand<Options>({
  description:
    "Prints the smallest roles with which the operator can install and delete some providers, " +
    "to be applied over those that it comes with.",
  examples: `  rookery operator rbac -f core-components.yaml -f infrastructure-components.yaml | kubectl apply -f -
  cat components.yaml | rookery operator rbac -f - --target-namespace capi-system
  rookery operator rbac -f core.yaml -f aws.yaml --instance aws.yaml=capa1-system --instance aws.yaml=capa2-system`,
  declare: (command) =>
    command
      .requiredOption(
        "-f, --filename <file>",
        "a components file of a provider, or - for the input; may be repeated",
        repeated,
      )
      .option("--namespace <name>", "the namespace of the operator", "rookery-system")
      .option(
        "--target-namespace <name>",
        "the namespace of the providers, unless it is that of their components",
      )
      .option(
        "--instance <file=namespace>",
        "the namespace of one of several instances that divide namespaces, and its file; the " +
          "namespace alone where there is one file; may be repeated",
        repeated,
      )
      .option(
        "--watched-namespace <name>",
        "a namespace that instances have rights in alone (spec.watch.rbac: Namespaced); may be repeated",
        repeated,
      ),
  async run({ filename, instance, watchedNamespace, ...options }, io) {
    const read = (file: string) => (file === "-" ? io.readInput() : readFile(file, "utf8"));
    const namespaces = instancesByFile(filename, instance);
    const files = await Promise.all(
      filename.map(async (file) => ({
        text: await read(file),
        instances: namespaces.get(file) ?? [],
      })),
    );
    const watched = watchedNamespace && { watchedNamespaces: watchedNamespace };
    const rbac = await renderOperatorRbac(files, { ...options, ...watched, env: io.env });
    io.write(formatManifests(rbac));
  },
});

/** The namespaces of instances by their file. Throws UsageError. */
function instancesByFile(
  files: readonly string[],
  instances: readonly string[] = [],
): ReadonlyMap<string, readonly string[]> {
  const namespaces = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const instance of instances) {
    const at = instance.lastIndexOf("=");
    const file = at < 0 && files.length === 1 ? files[0] : instance.slice(0, Math.max(0, at));
    const namespace = instance.slice(at + 1);
    const known = namespaces.get(file ?? "");
    if (!known || namespace === "") {
      throw new UsageError(
        `--instance "${instance}" must be <file>=<namespace>, with one of the files of -f.`,
      );
    }
    known.push(namespace);
  }
  return namespaces;
}
