import { join } from "node:path";
import type { ClientConfig } from "@rookery/client";
import type { ProxyState } from "../certificates/proxy-state.ts";
import { MissingAppTokenError } from "../errors.ts";
import { readText } from "../files.ts";
import type { ProxyFlagValues } from "../flags/proxy-flags.ts";

/** The app's credentials for the proxy. */
export interface AppToken {
  /** A token file that others renew, which the app's kubeconfig may name. */
  readonly file?: string;
  /** Rejects with ProxyFileError. */
  read(): Promise<string>;
}

export interface AppKubeconfigOptions {
  readonly server: () => string;
  readonly namespace: string;
  readonly token?: AppToken;
}

/** A kubeconfig, in JSON, for the proxy. */
export async function appKubeconfig(
  { server, namespace, token }: AppKubeconfigOptions,
  authorities: string | undefined,
): Promise<string> {
  const ca = authorities && Buffer.from(authorities).toString("base64");
  const name = "rookery-proxy";
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server: server(), "certificate-authority-data": ca } }],
    users: [{ name, user: await userOf(token) }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    "current-context": name,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

async function userOf(token: AppToken | undefined): Promise<Record<string, string>> {
  if (!token) return {};
  return token.file ? { tokenFile: token.file } : { token: await token.read() };
}

/**
 * With the proxy's identity, a generated token; with the app's, the token of --upstream if there
 * is one. Throws MissingAppTokenError if the app needs a token.
 */
export function appTokenOf(
  flags: ProxyFlagValues,
  { user }: Pick<ClientConfig, "user">,
  state: ProxyState,
): AppToken | undefined {
  if (flags.identity === "proxy") return { read: () => state.appToken() };
  const { tokenFile, token } = user;
  const folder = flags.appServiceAccountDir;
  if (tokenFile) {
    return {
      file: folder ? join(folder, "token") : tokenFile,
      read: () => readText(tokenFile),
    };
  }
  if (token) return { read: async () => token };
  if (folder) throw new MissingAppTokenError();
  return undefined;
}
