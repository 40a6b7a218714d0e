import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { readKubeconfig, refuseLocalPrograms } from "../get/kubeconfig.ts";
import { type MergeFlags, mergeCluster } from "../get/merge-cluster.ts";
import { connectTo, kubeFlags } from "../kube-flags.ts";
import { parseArguments } from "../parse-arguments.ts";

/** Prints the kubeconfig with which people reach a cluster. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const command = parseArguments(args, io, (one) =>
    kubeFlags(one.name("rookery get kubeconfig").argument("<cluster>", "the name of the cluster"))
      .description(
        "Prints the kubeconfig with which people reach a cluster, or that of controllers where it has none.",
      )
      .option("--unchecked", "prints it also where it runs programs, reads files or uses no TLS")
      .option(
        "--merge",
        "adds it as a context to the kubeconfig that kubectl uses, and prints nothing of it",
      )
      .option("--as <context>", "with --merge, what the context is called")
      .addHelpText(
        "after",
        `
Examples:
  rookery get kubeconfig prod -n team > prod.kubeconfig
  kubectl --kubeconfig=prod.kubeconfig get nodes
  rookery get kubeconfig prod -n team --merge     as a context of your own kubeconfig`,
      ),
  );
  const flags = command.opts<MergeFlags & { readonly unchecked?: true; readonly merge?: true }>();
  if (flags.merge && flags.unchecked) {
    throw new UsageError("--merge and --unchecked do not go together.");
  }
  if (flags.as !== undefined && !flags.merge) throw new UsageError("--as is for --merge.");
  await using connection = await connectTo(flags, io);
  const { client, namespace } = connection;
  const cluster = { namespace, name: command.args[0] ?? "" };
  if (flags.merge) {
    const how = { flags, isCurrent: false };
    const { context, file } = await mergeCluster(cluster.name, how, { connection, io });
    return io.write(`The context ${context} is in ${file}.\n`);
  }
  const kubeconfig = await readKubeconfig(client, cluster);
  if (!flags.unchecked) await refuseLocalPrograms(kubeconfig, cluster);
  io.write(`${kubeconfig}\n`);
}
