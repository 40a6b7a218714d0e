import { defineCommand } from "../define-command.ts";
import { type MergeFlags, mergeCluster } from "../get/merge-cluster.ts";
import { connectTo, kubeFlags } from "../kube-flags.ts";

/** Makes a cluster the current context of the user's kubeconfig. */
export const run = defineCommand<MergeFlags>({
  description:
    "Adds a context for a cluster to the kubeconfig that kubectl uses, and makes it the current one.",
  examples: `  rookery connect prod -n team                and then kubectl get nodes
  rookery connect prod -n team --as prod      under another name than rookery-team-prod

Existing entries of the kubeconfig stay. "rookery get kubeconfig prod --merge" adds the context and does
not change the current one.`,
  declare: (command) =>
    kubeFlags(command.argument("<cluster>", "the name of the cluster")).option(
      "--as <context>",
      "the name of the context",
    ),
  async run(flags, io, [name = ""]) {
    await using connection = await connectTo(flags, io);
    const options = { flags, isCurrent: true };
    const { context, file, before } = await mergeCluster(name, options, { connection, io });
    const back =
      before && before !== context ? `"kubectl config use-context ${before}" goes back.\n` : "";
    io.write(`The current context of ${file} is ${context}.\n${back}`);
  },
});
