import type { ClientConfig } from "../kubeconfig/client-config.ts";
import type { Timekeeper } from "../timekeeper.ts";
import type { Credential, CredentialSource } from "./credential.ts";
import { ExecPlugin } from "./exec-plugin.ts";
import { TokenFile } from "./token-file.ts";

/**
 * The credentials of a configuration; undefined without any beside a client certificate. Never
 * sent without TLS. A plugin is only used without other credentials, as in client-go.
 */
export function createCredentialSource(
  config: ClientConfig,
  timekeeper: Timekeeper,
): CredentialSource | undefined {
  const { token, tokenFile, basic, exec, certificate } = config.user;
  if (!config.server.startsWith("https:")) return undefined;
  if (tokenFile) return new TokenFile({ file: tokenFile, token, timekeeper });
  if (token) return constant({ authorization: `Bearer ${token}` });
  if (basic) return constant({ authorization: basicAuthorization(basic) });
  if (exec && !certificate) return new ExecPlugin({ exec, config, timekeeper });
  return undefined;
}

function constant(credential: Credential): CredentialSource {
  return { get: () => credential, renew: async () => undefined, close() {} };
}

function basicAuthorization({
  username,
  password,
}: {
  username: string;
  password: string;
}): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
