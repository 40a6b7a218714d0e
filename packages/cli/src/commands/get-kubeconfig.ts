import type { CommandIo } from "../command.ts";
import { readKubeconfig, refuseLocalPrograms } from "../get/kubeconfig.ts";
import { connectTo, type KubeFlags, kubeFlags } from "../kube-flags.ts";
import { parseArguments } from "../parse-arguments.ts";

/** Prints the kubeconfig with which people reach a cluster. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const command = parseArguments(args, io, (one) =>
    kubeFlags(one.name("rookery get kubeconfig").argument("<cluster>", "the name of the cluster"))
      .description(
        "Prints the kubeconfig with which people reach a cluster, or that of controllers where it has none.",
      )
      .option("--unchecked", "prints it also where it runs programs, reads files or uses no TLS")
      .addHelpText(
        "after",
        `
Examples:
  rookery get kubeconfig prod -n team > prod.kubeconfig
  kubectl --kubeconfig=prod.kubeconfig get nodes`,
      ),
  );
  const flags = command.opts<KubeFlags & { readonly unchecked?: true }>();
  await using connection = await connectTo(flags, io);
  const { client, namespace } = connection;
  const cluster = { namespace, name: command.args[0] ?? "" };
  const kubeconfig = await readKubeconfig(client, cluster);
  if (!flags.unchecked) await refuseLocalPrograms(kubeconfig, cluster);
  io.write(`${kubeconfig}\n`);
}
