import { type Client, createClient, loadConfig } from "@rookery/client";

export interface OpenOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Hears what the API server warns of; finalizers without a domain are no news, unless asked for. */
  readonly onWarning?: (text: string) => void;
  readonly hideWarnings?: "default" | "all" | "none";
}

export interface OpenCluster extends AsyncDisposable {
  readonly client: Client;
  readonly server: string;
  /** The namespace of the context. */
  readonly namespace: string;
}

/** Connects to a management cluster. Rejects with ConfigError. */
export async function openCluster(options: OpenOptions): Promise<OpenCluster> {
  const { kubeconfig, context, env, onWarning, hideWarnings = "default" } = options;
  const config = await loadConfig({
    ...(kubeconfig && { path: kubeconfig }),
    ...(context && { context }),
    ...(env && { env }),
  });
  const isShown = (text: string) =>
    hideWarnings === "none" || (hideWarnings === "default" && !text.startsWith(finalizerWarning));
  const client = createClient(config, {
    userAgent: "rookery-move",
    onWarning: (text) => {
      if (isShown(text)) onWarning?.(text);
    },
  });
  const { server } = config;
  const dispose = () => client.destroy();
  return { client, server, namespace: client.namespace, [Symbol.asyncDispose]: dispose };
}

const finalizerWarning = "metadata.finalizers:";
