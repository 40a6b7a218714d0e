import type { ClientConfig } from "@rookery/client";
import { LoginError } from "../errors.ts";
import type { ExecCluster } from "./exec-credential.ts";
import { readFlagFile } from "./token-source.ts";

export interface TargetFlags {
  readonly server?: string;
  /** A file with authorities in PEM. */
  readonly certificateAuthority?: string;
}

/** The API server by the flags, or by kubectl; without credentials. Errors: LoginError. */
export async function loginTarget(
  flags: TargetFlags,
  cluster: ExecCluster | undefined,
): Promise<ClientConfig> {
  if (flags.server !== undefined) return flagTarget(flags.server, flags.certificateAuthority);
  if (typeof cluster?.server !== "string") {
    const ways =
      "set provideClusterInfo: true in the exec section of the kubeconfig, or pass --server";
    throw new LoginError(`the cluster is not known; ${ways}`);
  }
  const data = cluster["certificate-authority-data"];
  const serverName = cluster["tls-server-name"];
  const proxyUrl = cluster["proxy-url"];
  return {
    server: cluster.server,
    ...(data && { certificateAuthority: { pem: Buffer.from(data, "base64").toString("utf8") } }),
    ...(cluster["insecure-skip-tls-verify"] && { insecureSkipTlsVerify: true }),
    ...(serverName && { tlsServerName: serverName }),
    ...(proxyUrl && { proxyUrl }),
    namespace: "default",
    user: {},
  };
}

async function flagTarget(server: string, file: string | undefined): Promise<ClientConfig> {
  if (URL.parse(server)?.protocol !== "https:") {
    throw new LoginError(`--server "${server}" is not a URL that begins with https://`);
  }
  const pem = file === undefined ? undefined : await readFlagFile("--certificate-authority", file);
  return {
    server,
    ...(pem !== undefined && { certificateAuthority: { pem } }),
    namespace: "default",
    user: {},
  };
}
