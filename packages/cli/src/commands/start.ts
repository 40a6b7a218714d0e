import packageJson from "../../package.json" with { type: "json" };
import { defineCommand } from "../define-command.ts";
import { UsageError } from "../errors.ts";
import { type ConfigFlags, configFlag } from "../flags.ts";
import { clusterFlags, type KubeFlags } from "../kube-flags.ts";
import { parsePort, parseSeconds, startFolder } from "../local/flags.ts";

interface Options extends KubeFlags, ConfigFlags {
  readonly data: string;
  readonly port?: number;
  readonly fresh?: boolean;
  readonly image: string;
  readonly wait: number;
}

/** Starts a management plane with a tenant on each rung of the ladder. */
export const run = defineCommand<Options>({
  description:
    "Starts a management plane to try: a small Kubernetes on this machine, the operator, the providers, and a " +
    "tenant on each rung of the ladder. It stays in the foreground until Ctrl-C, which ends all of it; data " +
    "stays, and a second start finds it. With --kubeconfig or --context it is put on that cluster instead.",
  examples: `  rookery start                          # on this machine, until Ctrl-C
  rookery start --fresh                  # without the data of earlier starts
  rookery start --kubeconfig my-cluster --image registry.example.com/rookery:${packageJson.version}
`,
  declare: (command, io) =>
    configFlag(clusterFlags(command))
      .option("--data <folder>", "the folder of its data", startFolder(io.env))
      .option(
        "--port <port>",
        "the port of its API server, where 0 is any free one; the last one, or 6443",
        parsePort,
      )
      .option("--fresh", "remove the data of earlier starts first")
      .option(
        "--image <image>",
        "the image of Rookery, for a cluster that pulls it",
        `rookery:${packageJson.version}`,
      )
      .option(
        "--wait <seconds>",
        "when to print what is not ready yet; it goes on until Ctrl-C, or ends on a cluster of yours",
        parseSeconds,
        300,
      ),
  async run(options, io) {
    const { data, port, image, fresh = false } = options;
    const waitMs = options.wait * 1000;
    if (isOnCluster(options)) {
      const { startOnCluster } = await import("../start/start-on-cluster.ts");
      return startOnCluster({ ...options, image, waitMs }, io);
    }
    const { startEmbedded } = await import("../start/start-embedded.ts");
    await startEmbedded({ data, port, image, fresh, waitMs }, io);
  },
});

/** Whether a cluster of the user is meant. Throws UsageError for a flag that is about the other way. */
function isOnCluster({ kubeconfig, context, fresh, port, config }: Options): boolean {
  if (kubeconfig === undefined && context === undefined) {
    if (config === undefined) return false;
    throw new UsageError(
      "--config is about a cluster of yours; name it by --kubeconfig or --context, or leave it out.",
    );
  }
  if (!fresh && port === undefined) return true;
  throw new UsageError(
    `${fresh ? "--fresh" : "--port"} is about the Kubernetes of this machine; leave it out, or leave out --kubeconfig and --context.`,
  );
}
