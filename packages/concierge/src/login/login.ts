import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ClientConfig, createClient } from "@rookery/client";
import type { ClusterCredential } from "../aggregated-api/token-credential-request.ts";
import { LoginError } from "../errors.ts";
import { createCredentialCache } from "./credential-cache.ts";
import { execCredential, readExecInfo } from "./exec-credential.ts";
import { loginTarget, type TargetFlags } from "./login-target.ts";
import { type Concierge, requestCredential } from "./request-credential.ts";
import { type TokenFlags, type TokenSource, tokenSource } from "./token-source.ts";

export interface LoginOptions extends TargetFlags, TokenFlags {
  readonly apiGroupSuffix: string;
  readonly authenticatorType: string;
  readonly authenticatorName: string;
  /** A folder of the user's cache by default. */
  readonly cacheFolder?: string;
}

export interface LoginIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly warn: (text: string) => void;
}

const kinds = new Map([
  ["jwt", "JWTAuthenticator"],
  ["webhook", "WebhookAuthenticator"],
]);

const attempts = { retries: 3, timeoutMs: 30_000 };

/**
 * Logs in as an exec credential plugin of kubectl: exchanges a token for a client certificate, or uses the
 * cached one. Returns the ExecCredential. Errors: LoginError.
 */
export async function login(options: LoginOptions, io: LoginIo): Promise<string> {
  const info = readExecInfo(io.env.KUBERNETES_EXEC_INFO);
  const source = tokenSource(options, io.env);
  const config = await loginTarget(options, info.cluster);
  const concierge = conciergeOf(options);
  const cache = createCredentialCache(options.cacheFolder ?? cacheFolder(io.env), () => new Date());
  const { key, token } = await identify(source, { config, concierge });
  const cached = await cache.find(key);
  if (cached) return execCredential(info, cached);
  const status = await exchange(config, concierge, token ?? (await source.read()));
  await cache.put(key, status).catch((error: NodeJS.ErrnoException) => {
    io.warn(`could not keep the certificate for the next call: ${error.message}`);
  });
  return execCredential(info, status);
}

async function exchange(
  config: ClientConfig,
  concierge: Concierge,
  token: string,
): Promise<ClusterCredential> {
  await using client = createClient(config, { userAgent: "rookery-login", ...attempts });
  return await requestCredential(client, concierge, token);
}

/** A token command may be slow or interactive: it does not run if there is a cached credential. */
async function identify(
  source: TokenSource,
  target: { readonly config: ClientConfig; readonly concierge: Concierge },
): Promise<{ key: readonly string[]; token?: string }> {
  const { server, certificateAuthority } = target.config;
  const place = [server, certificateAuthority?.pem ?? "", JSON.stringify(target.concierge)];
  if (source.identity.startsWith("tokenCommand=")) return { key: [...place, source.identity] };
  const token = await source.read();
  return { key: [...place, createHash("sha256").update(token).digest("hex")], token };
}

function conciergeOf(options: LoginOptions): Concierge {
  const { apiGroupSuffix, authenticatorType, authenticatorName: name } = options;
  const kind = kinds.get(authenticatorType);
  if (kind === undefined) {
    const known = [...kinds.keys()].join(" or ");
    throw new LoginError(`--authenticator-type is "${authenticatorType}", not ${known}`);
  }
  return { apiGroupSuffix, authenticator: { kind, name } };
}

function cacheFolder(env: LoginIo["env"]): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "rookery", "login");
}
