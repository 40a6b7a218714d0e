import type { CommandIo } from "../command.ts";
import { readKubeconfig } from "../get/kubeconfig.ts";
import { connectTo, type KubeFlags, kubeFlags } from "../kube-flags.ts";
import { parseArguments } from "../parse-arguments.ts";

/** Prints the kubeconfig with which people reach a cluster. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const command = parseArguments(args, io, (one) =>
    kubeFlags(one.name("rookery get kubeconfig").argument("<cluster>", "the name of the cluster"))
      .description(
        "Prints the kubeconfig with which people reach a cluster, or that of controllers where it has none.",
      )
      .addHelpText(
        "after",
        `
Examples:
  rookery get kubeconfig prod -n team > prod.kubeconfig
  kubectl --kubeconfig=prod.kubeconfig get nodes`,
      ),
  );
  await using connection = await connectTo(command.opts<KubeFlags>(), io);
  const { client, namespace } = connection;
  io.write(`${await readKubeconfig(client, { namespace, name: command.args[0] ?? "" })}\n`);
}
