import { validateDns1123Label } from "@rookery/kube";
import { ConfigError } from "../errors.ts";
import type { ClientConfig } from "./client-config.ts";
import { type Fields, pemField } from "./fields.ts";
import type { Kubeconfig } from "./kubeconfig-file.ts";
import { proxyFromEnvironment } from "./proxy-environment.ts";
import { userConfig } from "./user.ts";

export interface ContextOptions {
  /** In place of current-context. */
  readonly context: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** The cluster, user and namespace of a context. */
export async function contextConfig(
  kubeconfig: Kubeconfig,
  options: ContextOptions,
): Promise<ClientConfig> {
  const [context, fields] = contextOf(kubeconfig, options.context);
  const cluster = referenceOf(fields, "cluster", kubeconfig.clusters).at({ context });
  const user = referenceOf(fields, "user", kubeconfig.users).at({ context });
  const namespace = fields.string("namespace") ?? "default";
  if (validateDns1123Label(namespace).length > 0) {
    throw fields.fail("namespace", `${JSON.stringify(namespace)} is not a name of a namespace`);
  }
  return {
    ...(await clusterConfig(cluster, options.env)),
    namespace,
    user: await userConfig(user),
    place: { ...cluster.place, ...user.place },
  };
}

function contextOf(kubeconfig: Kubeconfig, wanted: string | undefined): [string, Fields] {
  const name = wanted ?? kubeconfig.currentContext;
  const file = kubeconfig.files.join(", ");
  const known = `it has ${listOf([...kubeconfig.contexts.keys()])}`;
  if (name === undefined) {
    const wayOut = "name one, or choose it with `kubectl config use-context`";
    throw new ConfigError(`${wayOut}; ${known}`, { file, field: "current-context" });
  }
  const fields = kubeconfig.contexts.get(name);
  if (fields) return [name, fields];
  throw new ConfigError(`there is no such context; ${known}`, { file, context: name });
}

function referenceOf(
  context: Fields,
  noun: "cluster" | "user",
  entries: ReadonlyMap<string, Fields>,
): Fields {
  const name = context.string(noun);
  if (name === undefined) throw context.fail(noun, "it is missing");
  const entry = entries.get(name);
  if (entry) return entry;
  const known = `the kubeconfig has ${listOf([...entries.keys()])}`;
  throw context.fail(noun, `there is no ${noun} ${JSON.stringify(name)}; ${known}`);
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map((name) => JSON.stringify(name)).join(", ");
}

type ClusterConfig = Omit<ClientConfig, "namespace" | "user" | "place">;

const execExtensionName = "client.authentication.k8s.io/exec";
const proxySchemes = ["http:", "https:", "socks5:"];

/** Rejects with ConfigError for contradictions and missing references. */
async function clusterConfig(fields: Fields, env: NodeJS.ProcessEnv): Promise<ClusterConfig> {
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

/** A server without scheme is https if the entry configures TLS, as in client-go. */
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
