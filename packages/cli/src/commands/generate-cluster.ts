import { formatGoDocuments } from "@rookery/components";
import { messageOf } from "@rookery/errors";
import { readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { UsageError } from "../errors.ts";
import { booleanFlag, type ConfigFlags, configFlag } from "../flags.ts";
import { clusterTemplate, type TemplateSource } from "../generate/cluster-template.ts";
import { type ClusterFlags, withClusterDefaults } from "../generate/cluster-variables.ts";
import { formatVariables } from "../generate/list-variables.ts";
import { writeResult } from "../generate/write-result.ts";
import { type Connection, clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { ReleaseSources } from "../releases/release-source.ts";

interface Options extends KubeFlags, ConfigFlags, TemplateSource, ClusterFlags {
  readonly targetNamespace?: string;
  readonly listVariables?: boolean;
  readonly writeTo?: string;
}

/** Prints the objects of a new cluster, or the variables of its template. */
export const run = defineCommand<Options>({
  description:
    "Prints the objects of a new cluster, made from a template: of the infrastructure provider that is " +
    "installed, or the one that is named.",
  examples: `  rookery generate cluster prod --kubernetes-version=v1.34.0 | kubectl apply -f -
  rookery generate cluster prod --infrastructure=vsphere:v1.12.0 --flavor=identity -n team
  rookery generate cluster prod --control-plane-machine-count=3 --worker-machine-count=10
  rookery generate cluster prod --list-variables           the variables, and which of them are required
  rookery generate cluster prod --from=my-template.yaml    a file, a URL, or - for the input
  rookery generate cluster prod --from-config-map=templates --from-config-map-key=large`,
  declare(command) {
    command
      .argument("<name>", "the name of the cluster")
      .option("-i, --infrastructure <name[:version]>", "the provider of the template")
      .option("-f, --flavor <name>", "one of its templates; the default one where absent")
      .option("--from <source>", "a file or a URL with the template, or - for the input")
      .option("--from-config-map <name>", "a ConfigMap with the template")
      .option("--from-config-map-key <key>", 'its key; "template" where absent')
      .option(
        "--from-config-map-namespace <name>",
        "its namespace; that of the context where absent",
      )
      .option(
        "-n, --target-namespace <name>",
        "the cluster's namespace; that of the context where absent",
      )
      .option("--kubernetes-version <version>", "its version of Kubernetes")
      .option("--control-plane-machine-count <number>", "1 unless a variable sets it")
      .option("--worker-machine-count <number>", "0 unless a variable sets it")
      .option("--write-to <file>", "the file to write to");
    booleanFlag(command, "--list-variables", "prints the variables of the template instead");
    return clusterFlags(configFlag(command));
  },
  async run(options, io, [name = ""]) {
    const { targetNamespace, listVariables: isListed = false } = options;
    const config = await readConfig(options, io);
    await using stack = new AsyncDisposableStack();
    const sources = stack.use(new ReleaseSources(config, io));
    let connection: Promise<Connection> | undefined;
    const connect = () => {
      connection ??= connectTo(options, io).then((opened) => stack.use(opened));
      return connection;
    };
    const facts = { ...options, name };
    const namespace = targetNamespace ?? (await currentNamespace(connect));
    const making = { io, config, sources, facts: { ...facts, namespace }, isListed, connect };
    const { variables, objects } = await clusterTemplate(options, making);
    if (!isListed) return writeResult(io, formatGoDocuments(objects), options.writeTo);
    const given = { ...facts, namespace: targetNamespace };
    const listed = withClusterDefaults(variables, given, (variable) => io.env[variable]);
    io.write(formatVariables(listed, io.terminal?.columns()));
  },
});

async function currentNamespace(connect: () => Promise<Connection>): Promise<string> {
  try {
    return (await connect()).namespace;
  } catch (error) {
    throw new UsageError(
      `--target-namespace is missing, and no context names one: ${messageOf(error)}`,
    );
  }
}
