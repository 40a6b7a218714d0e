import { BlockList, isIP } from "node:net";
import { ConfigError } from "../errors.ts";
import type { ClientConfig } from "./client-config.ts";
import { contextConfig } from "./context.ts";
import type { Fields } from "./fields.ts";
import { type Kubeconfig, parseKubeconfig } from "./kubeconfig-file.ts";

export interface UntrustedOptions {
  /** For messages, such as "Secret ns/name-kubeconfig". */
  readonly source: string;
  /** In place of current-context. */
  readonly context?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Kubeconfigs with several certificates have 20 KiB. */
const maxBytes = 64 * 1024;
/** Fields that refer to files and programs of this machine. */
const localUserFields = ["client-certificate", "client-key", "tokenFile", "exec", "auth-provider"];

/**
 * The configuration of a kubeconfig that somebody else wrote, such as one in a Secret. Flow: refuses
 * what is too large before it is parsed, then, in every entry and not only in those of the context,
 * files and programs of this machine, servers without TLS, and addresses that only this machine's
 * network leads to. Guarantees: no file is read, no program is run, and the credentials of this
 * process are not used. Assumptions: the writer may choose the server, as every kubeconfig does, and
 * may choose not to verify it. Errors: rejects with ConfigError, which never holds a value.
 */
export async function parseUntrustedConfig(
  text: string,
  { source, context, env = process.env }: UntrustedOptions,
): Promise<ClientConfig> {
  if (Buffer.byteLength(text) > maxBytes) {
    const reason = `it is larger than ${maxBytes / 1024} KiB; leave out entries that are not used`;
    throw new ConfigError(reason, { file: source });
  }
  const kubeconfig = await parseKubeconfig(text, source);
  refuseLocal(kubeconfig);
  return contextConfig(kubeconfig, { context, env });
}

function refuseLocal({ clusters, users }: Kubeconfig): void {
  for (const cluster of clusters.values()) {
    refuseFields(cluster, ["certificate-authority"]);
    refuseAddress(cluster, "server", ["https:"]);
    refuseAddress(cluster, "proxy-url", ["http:", "https:", "socks5:"]);
  }
  for (const user of users.values()) refuseFields(user, localUserFields);
}

function refuseFields(fields: Fields, names: readonly string[]): void {
  for (const name of names) {
    if (!fields.has(name)) continue;
    const reason = "only a kubeconfig in a file may name files and programs; put the data in";
    throw fields.fail(name, reason);
  }
}

/** Addresses of node-local services, such as those with cloud credentials. */
const nodeLocal = new BlockList();
nodeLocal.addSubnet("169.254.0.0", 16, "ipv4");
nodeLocal.addSubnet("0.0.0.0", 8, "ipv4");
nodeLocal.addSubnet("fe80::", 10, "ipv6");
nodeLocal.addAddress("::", "ipv6");
nodeLocal.addAddress("fd00:ec2::254", "ipv6");

function refuseAddress(fields: Fields, field: string, schemes: readonly string[]): void {
  const text = fields.string(field);
  if (text === undefined) return;
  const url = URL.parse(text);
  if (!url || !schemes.includes(url.protocol)) {
    const known = schemes.map((scheme) => `${scheme}//`).join(", ");
    throw fields.fail(field, `it must be a URL that begins with ${known}`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  if (family === 0 || !nodeLocal.check(host, family === 6 ? "ipv6" : "ipv4")) return;
  throw fields.fail(field, "it is an address of the node's own network; name one of the cluster");
}
