import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { type ConfigFlags, configFlag } from "../config/config-flag.ts";
import { UsageError } from "../errors.ts";
import { clusterFlags, type KubeFlags } from "../kube-flags.ts";
import { parsePort, parseSeconds, startFolder } from "../local/flags.ts";
import { parseArguments } from "../parse-arguments.ts";

interface StartFlags extends KubeFlags, ConfigFlags {
  readonly data: string;
  readonly port?: number;
  readonly fresh?: boolean;
  readonly image: string;
  readonly wait: number;
}

const examples = `
Examples:
  rookery start                          # on this machine, until Ctrl-C
  rookery start --fresh                  # without what was there before
  rookery start --kubeconfig my-cluster --image registry.example.com/rookery:${packageJson.version}
`;

/** Brings up a management plane with a tenant on each rung of the ladder. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const flags = parseArguments(args, io, (command) =>
    configFlag(clusterFlags(command))
      .name("rookery start")
      .description(
        "Brings up a management plane to try: a small Kubernetes on this machine, the operator, the providers, and a " +
          "tenant on each rung of the ladder. It stays in the foreground until Ctrl-C, which ends all of it; data " +
          "stays, and a second start finds it. With --kubeconfig or --context it is put on that cluster instead.",
      )
      .option("--data <folder>", "where its data stays", startFolder(io.env))
      .option(
        "--port <port>",
        "the port of its API server, where 0 takes any free one; the last one, or 6443",
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
        "when to tell what is not ready yet; it goes on until Ctrl-C, or ends on a cluster of yours",
        parseSeconds,
        300,
      )
      .addHelpText("after", examples),
  ).opts<StartFlags>();
  const { data, port, image, fresh = false } = flags;
  const waitMs = flags.wait * 1000;
  if (isElsewhere(flags)) {
    const { startOnCluster } = await import("../start/start-on-cluster.ts");
    return startOnCluster({ ...flags, image, waitMs }, io);
  }
  const { startEmbedded } = await import("../start/start-embedded.ts");
  await startEmbedded({ data, port, image, fresh, waitMs }, io);
}

/** Whether a cluster of the user's is meant. Errors: UsageError where a flag is about the other one. */
function isElsewhere({ kubeconfig, context, fresh, port, config }: StartFlags): boolean {
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
