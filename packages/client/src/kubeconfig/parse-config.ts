import { ConfigError } from "../errors.ts";
import type { ClientConfig } from "./client-config.ts";
import { contextConfig } from "./context.ts";
import type { Fields } from "./fields.ts";
import { parseKubeconfig } from "./kubeconfig-file.ts";

export interface ParseOptions {
  /** Where the text is from, for messages, such as "Secret ns/name-kubeconfig". */
  readonly source: string;
  /** The context to use instead of current-context. */
  readonly context?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Far more than the kubeconfig of one cluster has: nobody keeps others waiting by a larger one. */
const maxBytes = 64 * 1024;

/** What a kubeconfig from elsewhere would use of this machine. */
const localUserFields = ["client-certificate", "client-key", "tokenFile", "exec"];

/**
 * The configuration of a kubeconfig that is not a file, such as one in a Secret. Whoever wrote it
 * must not read files or run programs here, so it has to hold its certificates and tokens itself.
 * Rejects with ConfigError.
 */
export async function parseConfig(text: string, options: ParseOptions): Promise<ClientConfig> {
  const { source, context, env = process.env } = options;
  if (Buffer.byteLength(text) > maxBytes) {
    const why = `it has more than ${maxBytes} bytes; leave out what is not of its cluster`;
    throw new ConfigError(why, { file: source });
  }
  const kubeconfig = await parseKubeconfig(text, source);
  for (const cluster of kubeconfig.clusters.values()) refuse(cluster, ["certificate-authority"]);
  for (const user of kubeconfig.users.values()) refuse(user, localUserFields);
  return contextConfig(kubeconfig, { context, env });
}

function refuse(fields: Fields, names: readonly string[]): void {
  for (const name of names) {
    if (!fields.has(name)) continue;
    const reason = "only a kubeconfig in a file may name files and programs; put the data in";
    throw fields.fail(name, reason);
  }
}
