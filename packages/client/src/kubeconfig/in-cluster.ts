import { readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { ConfigError } from "../errors.ts";
import type { ClientConfig } from "./client-config.ts";
import { proxyFromEnvironment } from "./proxy-environment.ts";

const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

export interface InClusterOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** The mount of the service account. */
  readonly folder?: string;
}

/**
 * The configuration of a pod. Rejects with ConfigError outside of a pod, or without a service
 * account token.
 */
export async function inClusterConfig(options: InClusterOptions = {}): Promise<ClientConfig> {
  const { env = process.env } = options;
  // Nodes without mounts set this variable.
  const { folder = env.ROOKERY_SERVICE_ACCOUNT_FOLDER || serviceAccountFolder } = options;
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) {
    throw new ConfigError(
      "not in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set",
    );
  }
  const tokenFile = join(folder, "token");
  if (!(await readIfThere(tokenFile))) {
    throw new ConfigError(
      `the pod has no service account token at ${tokenFile}; does it set automountServiceAccountToken: false?`,
    );
  }
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const caFile = join(folder, "ca.crt");
  const ca = await readIfThere(caFile);
  const proxyUrl = proxyFromEnvironment(server, env);
  return {
    server,
    ...(ca && { certificateAuthority: { pem: ca, file: caFile } }),
    ...(proxyUrl && { proxyUrl }),
    namespace: env.POD_NAMESPACE || (await readIfThere(join(folder, "namespace"))) || "default",
    user: { tokenFile },
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    return undefined;
  }
}
