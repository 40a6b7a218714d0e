import type { CommandIo } from "../command.ts";
import { type MergeFlags, mergeCluster } from "../get/merge-cluster.ts";
import { connectTo, kubeFlags } from "../kube-flags.ts";
import { parseArguments } from "../parse-arguments.ts";

const examples = `
Examples:
  rookery connect prod -n team                and then kubectl get nodes
  rookery connect prod -n team --as prod      under another name than rookery-team-prod

What is in the kubeconfig already stays. "rookery get kubeconfig prod --merge" adds the context and leaves
the current one as it is.`;

/** Makes a cluster the current context of the user's kubeconfig. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const command = parseArguments(args, io, (one) =>
    kubeFlags(one.name("rookery connect").argument("<cluster>", "the name of the cluster"))
      .description(
        "Puts a context for a cluster into the kubeconfig that kubectl uses, and makes it the current one.",
      )
      .option("--as <context>", "what the context is called")
      .addHelpText("after", examples),
  );
  const flags = command.opts<MergeFlags>();
  await using connection = await connectTo(flags, io);
  const [name = ""] = command.args;
  const { context, file, before } = await mergeCluster(
    name,
    { flags, isCurrent: true },
    { connection, io },
  );
  const back =
    before && before !== context ? `"kubectl config use-context ${before}" goes back.\n` : "";
  io.write(`The current context of ${file} is ${context}.\n${back}`);
}
