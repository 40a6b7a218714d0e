import type { ClientConfig } from "./client-config.ts";
import type { Fields } from "./fields.ts";
import { pemField } from "./file-references.ts";
import { proxyFromEnvironment } from "./proxy-environment.ts";

/** What a cluster entry says about reaching the API server. */
export type ClusterConfig = Omit<ClientConfig, "namespace" | "user" | "place">;

const execExtensionName = "client.authentication.k8s.io/exec";
const proxySchemes = ["http:", "https:", "socks5:"];

/** Rejects with ConfigError where the entry contradicts itself or names what is not there. */
export async function clusterConfig(
  fields: Fields,
  env: NodeJS.ProcessEnv,
): Promise<ClusterConfig> {
  const certificateAuthority = await pemField(fields, "certificate-authority");
  const insecure = fields.boolean("insecure-skip-tls-verify");
  if (insecure && certificateAuthority) {
    const reason = "it must not be true where there is a certificate-authority; remove one of them";
    throw fields.fail("insecure-skip-tls-verify", reason);
  }
  const server = serverUrl(fields, insecure || certificateAuthority !== undefined);
  const tlsServerName = fields.string("tls-server-name");
  const proxyUrl = proxyField(fields) ?? proxyFromEnvironment(server, env);
  const execExtension = execExtensionOf(fields);
  return {
    server,
    ...(certificateAuthority && { certificateAuthority }),
    ...(insecure && { insecureSkipTlsVerify: true }),
    ...(tlsServerName && { tlsServerName }),
    ...(proxyUrl && { proxyUrl }),
    ...(fields.boolean("disable-compression") && { disableCompression: true }),
    ...(execExtension !== undefined && { execExtension }),
  };
}

/** A server without scheme is https where the entry speaks of TLS, as in client-go. */
function serverUrl(fields: Fields, hasTls: boolean): string {
  const server = fields.string("server");
  if (server === undefined) throw fields.fail("server", "it is missing");
  const text = server.includes("://") ? server : `${hasTls ? "https" : "http"}://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw fields.fail("server", "it must be a URL such as https://10.0.0.1:6443");
  }
  if (url.username || url.password) {
    throw fields.fail("server", "it must not hold a user or password; they belong to a user entry");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function proxyField(fields: Fields): string | undefined {
  const proxy = fields.string("proxy-url");
  if (proxy === undefined) return undefined;
  if (!URL.canParse(proxy) || !proxySchemes.includes(new URL(proxy).protocol)) {
    throw fields.fail("proxy-url", "it must be a URL with the scheme http, https or socks5");
  }
  return proxy;
}

function execExtensionOf(fields: Fields): unknown {
  return fields
    .entries("extensions")
    .find((item) => item.string("name") === execExtensionName)
    ?.any("extension");
}
