import { defineCommand } from "../define-command.ts";
import { UsageError } from "../errors.ts";
import { readKubeconfig, rejectLocalPrograms } from "../get/kubeconfig.ts";
import { type MergeFlags, mergeCluster } from "../get/merge-cluster.ts";
import { connectTo, kubeFlags } from "../kube-flags.ts";

interface Options extends MergeFlags {
  readonly unchecked?: true;
  readonly merge?: true;
}

/** Prints the kubeconfig with which people reach a cluster. */
export const run = defineCommand<Options>({
  description:
    "Prints the kubeconfig with which people reach a cluster, or that of controllers where it has none.",
  examples: `  rookery get kubeconfig prod -n team > prod.kubeconfig
  kubectl --kubeconfig=prod.kubeconfig get nodes
  rookery get kubeconfig prod -n team --merge     as a context of your own kubeconfig`,
  declare: (command) =>
    kubeFlags(command.argument("<cluster>", "the name of the cluster"))
      .option("--unchecked", "prints it even if it runs programs, reads files or uses no TLS")
      .option(
        "--merge",
        "adds it as a context to the kubeconfig that kubectl uses, and does not print it",
      )
      .option("--as <context>", "with --merge, the name of the context"),
  async run(options, io, [name = ""]) {
    if (options.merge && options.unchecked) {
      throw new UsageError("--merge and --unchecked do not go together.");
    }
    if (options.as !== undefined && !options.merge) throw new UsageError("--as is for --merge.");
    await using connection = await connectTo(options, io);
    const { client, namespace } = connection;
    if (options.merge) {
      const merging = { flags: options, isCurrent: false };
      const { context, file } = await mergeCluster(name, merging, { connection, io });
      return io.write(`The context ${context} is in ${file}.\n`);
    }
    const kubeconfig = await readKubeconfig(client, { namespace, name });
    if (!options.unchecked) await rejectLocalPrograms(kubeconfig, { namespace, name });
    io.write(`${kubeconfig}\n`);
  },
});
