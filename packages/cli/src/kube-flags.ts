import { type Client, createClient, loadConfig } from "@rookery/client";
import { type Command, Option } from "commander";
import type { CommandIo } from "./command.ts";

/** The cluster of a command, by kubectl's flags. */
export interface KubeFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly kubeconfigContext?: string;
  readonly namespace?: string;
}

/** Adds `--kubeconfig` and `--context`. */
export function clusterFlags(command: Command): Command {
  return command
    .option("--kubeconfig <file>", "the kubeconfig file to use")
    .option("--context <name>", "the context of the kubeconfig to use")
    .addOption(new Option("--kubeconfig-context <name>", "as clusterctl calls it").hideHelp());
}

/** Adds these and `-n`. */
export function kubeFlags(command: Command): Command {
  return clusterFlags(
    command.option(
      "-n, --namespace <name>",
      "the namespace to use; that of the context where absent",
    ),
  );
}

export interface Connection extends AsyncDisposable {
  readonly client: Client;
  readonly server: string;
  /** The value of `-n`, or the context's namespace. */
  readonly namespace: string;
}

/** Prints the warnings of the API server for which `isShown` returns true. Throws ConfigError. */
export async function connectTo(
  flags: KubeFlags,
  io: CommandIo,
  isShown: (warning: string) => boolean = () => true,
): Promise<Connection> {
  const { kubeconfig: path, kubeconfigContext, context = kubeconfigContext, namespace } = flags;
  const config = await loadConfig({
    env: io.env,
    ...(path && { path }),
    ...(context && { context }),
  });
  const client = createClient(config, {
    userAgent: "rookery",
    onWarning: (text) => {
      if (isShown(text)) io.writeError(`Warning: ${text}\n`);
    },
  });
  return {
    client,
    server: config.server,
    namespace: namespace ?? client.namespace,
    [Symbol.asyncDispose]: () => client.destroy(),
  };
}
