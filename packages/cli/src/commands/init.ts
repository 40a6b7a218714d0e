import { Option } from "commander";
import type { CommandIo } from "../command.ts";
import { configFlag } from "../config/config-flag.ts";
import { readConfig } from "../config/read-config.ts";
import { instanceFlags, watchOf } from "../init/instance-flags.ts";
import {
  followInit,
  type InitOptions,
  type InitPlan,
  performInit,
  plannedObjects,
  prepareInit,
} from "../init/run-init.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { formatValue } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";
import { namedProviders, providerFlags } from "../providers/provider-flags.ts";
import { secondsFlag } from "../seconds-flag.ts";

interface Options extends InitOptions, KubeFlags {
  readonly config?: string;
  readonly dryRun?: boolean;
  readonly wait: boolean;
  readonly output?: "yaml" | "json";
}

const examples = `
Examples:
  rookery init --infrastructure vsphere          Cluster API, kubeadm and an infrastructure provider
  rookery init -i aws:v2.8.4,docker              versions, and several at once
  rookery init --bootstrap - --control-plane -   without the kubeadm providers
  rookery init -i vsphere --dry-run              prints the objects, and changes nothing
  rookery init -i vsphere -n capv2-system --watch-namespace team-a,team-b
                                                 a further instance, for these namespaces

Variables that components need come from the environment, else from the configuration file; all that
are missing are named at once. It may be run again: what is there stays as it is.`;

/** Makes a cluster a management cluster, or adds providers to one. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = readOptions(args, io);
  const config = await readConfig(options, io);
  await using connection = await connectTo(options, io);
  const tools = { client: connection.client, io, config };
  const plan = await prepareInit(options, tools);
  if (options.dryRun) return io.write(formatObjects(await plannedObjects(plan), options.output));
  await performInit(plan, options, tools);
  if (options.wait) await followInit(plan, options, tools);
  if (options.output) return io.write(formatValue(summary(plan), options.output));
  io.write(nextSteps(plan, options.wait));
}

function readOptions(args: readonly string[], io: CommandIo): Options {
  const options = parseArguments(args, io, (command) =>
    instanceFlags(configFlag(clusterFlags(providerFlags(command))))
      .name("rookery init")
      .description(
        "Installs the operator where it is missing, and declares providers: on a first run the core of " +
          'Cluster API and the kubeadm providers, unless others are named or "-" says none.',
      )
      .option("--dry-run", "prints the objects that would be applied")
      .option("--wait", "waits until all providers are ready (it does unless told otherwise)", true)
      .option("--no-wait", "ends when all is declared")
      .addOption(secondsFlag("--wait-timeout <seconds>", "how long", 600))
      .addOption(new Option("-o, --output <form>", "for programs").choices(["yaml", "json"]))
      .addHelpText("after", examples),
  ).opts<Options>();
  // What is wrong with them is said before a cluster is asked.
  namedProviders(options);
  watchOf(options);
  return options;
}

function formatObjects(objects: readonly object[], form: "yaml" | "json" = "yaml"): string {
  if (form === "json") return formatValue({ apiVersion: "v1", kind: "List", items: objects }, form);
  return objects.map((object) => `---\n${formatValue(object, "yaml")}`).join("");
}

function summary({ objects }: InitPlan): object {
  return objects.map(({ provider: { kind, metadata, spec } }) => ({
    ...{ kind, namespace: metadata.namespace, name: metadata.name, version: spec?.version },
  }));
}

function nextSteps({ objects }: InitPlan, waited: boolean): string {
  const done = objects.map(
    ({ provider: { kind, metadata, spec } }) =>
      `  ${kind} ${metadata.name} ${spec?.version}${spec?.watch ? ` in ${metadata.namespace}` : ""}\n`,
  );
  const head =
    done.length === 0
      ? "Nothing is missing here: all that was asked for is declared already.\n"
      : `${waited ? "Installed and ready" : "Declared; the operator installs it"}:\n${done.join("")}`;
  const hasMachines = objects.some(({ provider }) => provider.kind === "InfrastructureProvider");
  const machines = hasMachines
    ? "  rookery generate cluster <name> | kubectl apply -f -   your first cluster"
    : "  rookery init --infrastructure <name>                   a place for machines";
  return `${head}\nNext:\n${machines}\n  rookery upgrade plan                                   what could be newer\n`;
}
