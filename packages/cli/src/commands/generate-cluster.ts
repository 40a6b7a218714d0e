import { formatGoDocuments } from "@rookery/components";
import { messageOf } from "@rookery/errors";
import type { Command } from "commander";
import { booleanFlag, withPlainBooleans } from "../boolean-flags.ts";
import type { CommandIo } from "../command.ts";
import { type ConfigFlags, configFlag } from "../config/config-flag.ts";
import { readConfig } from "../config/read-config.ts";
import { UsageError } from "../errors.ts";
import { clusterTemplate, type TemplateSource } from "../generate/cluster-template.ts";
import { withClusterDefaults } from "../generate/cluster-variables.ts";
import { formatVariables } from "../generate/list-variables.ts";
import { ReleaseFiles } from "../generate/release-files.ts";
import { writeResult } from "../generate/write-result.ts";
import { type Connection, clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { parseArguments } from "../parse-arguments.ts";

interface Flags extends KubeFlags, ConfigFlags, TemplateSource {
  readonly targetNamespace?: string;
  readonly kubernetesVersion?: string;
  readonly controlPlaneMachineCount?: string;
  readonly workerMachineCount?: string;
  readonly listVariables?: boolean;
  readonly writeTo?: string;
}

/** Prints the objects of a new cluster, or what can be set of them. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const command = parseArguments(withPlainBooleans(args, ["list-variables"]), io, declare);
  const flags = command.opts<Flags>();
  const { targetNamespace, listVariables: isListed = false } = flags;
  const config = await readConfig(flags, io);
  await using stack = new AsyncDisposableStack();
  const files = stack.use(new ReleaseFiles(config, io));
  let connection: Promise<Connection> | undefined;
  const connect = () => {
    connection ??= connectTo(flags, io).then((opened) => stack.use(opened));
    return connection;
  };
  const facts = { ...factsOf(flags), name: command.args[0] ?? "" };
  const namespace = targetNamespace ?? (await currentNamespace(connect));
  const options = { io, config, files, facts: { ...facts, namespace }, isListed, connect };
  const { variables, objects } = await clusterTemplate(flags, options);
  if (!isListed) return writeResult(io, formatGoDocuments(objects), flags.writeTo);
  const given = { ...facts, namespace: targetNamespace };
  const listed = withClusterDefaults(variables, given, (name) => io.env[name]);
  io.write(formatVariables(listed, io.terminal?.columns()));
}

function factsOf(flags: Flags) {
  const { kubernetesVersion, controlPlaneMachineCount, workerMachineCount } = flags;
  return {
    ...(kubernetesVersion && { kubernetesVersion }),
    ...(controlPlaneMachineCount !== undefined && { controlPlaneMachineCount }),
    ...(workerMachineCount !== undefined && { workerMachineCount }),
  };
}

async function currentNamespace(connect: () => Promise<Connection>): Promise<string> {
  try {
    return (await connect()).namespace;
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError(`--target-namespace has to say where the cluster is to be: ${why}`);
  }
}

const examples = `
Examples:
  rookery generate cluster prod --kubernetes-version=v1.34.0 | kubectl apply -f -
  rookery generate cluster prod --infrastructure=vsphere:v1.12.0 --flavor=identity -n team
  rookery generate cluster prod --control-plane-machine-count=3 --worker-machine-count=10
  rookery generate cluster prod --list-variables           what can be set, and what has to be
  rookery generate cluster prod --from=my-template.yaml    a file, a URL, or - for the input
  rookery generate cluster prod --from-config-map=templates --from-config-map-key=large`;

function declare(command: Command): Command {
  const named = command
    .name("rookery generate cluster")
    .argument("<name>", "the name of the cluster")
    .description(
      "Prints the objects of a new cluster, made from a template: of the infrastructure provider that is " +
        "installed, or the one that is named.",
    )
    .option("-i, --infrastructure <name[:version]>", "the provider whose template it is")
    .option("-f, --flavor <name>", "which of its templates; the default one where absent")
    .option("--from <source>", "a file or a URL with the template, or - for the input")
    .option("--from-config-map <name>", "a ConfigMap with the template")
    .option("--from-config-map-key <key>", 'its key; "template" where absent')
    .option("--from-config-map-namespace <name>", "its namespace; that of the context where absent")
    .option("-n, --target-namespace <name>", "where it is to be; that of the context where absent")
    .option("--kubernetes-version <version>", "its version of Kubernetes")
    .option("--control-plane-machine-count <number>", "1 where neither it nor a variable says it")
    .option("--worker-machine-count <number>", "0 where neither it nor a variable says it")
    .option("--write-to <file>", "the file to write to");
  booleanFlag(named, "--list-variables", "prints the variables of the template instead");
  return clusterFlags(configFlag(named)).addHelpText("after", examples);
}
