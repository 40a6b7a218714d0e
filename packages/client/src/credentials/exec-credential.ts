import { createSecureContext } from "node:tls";
import { parseTime } from "@rookery/kube";
import type { ClientConfig, ExecConfig } from "../kubeconfig/client-config.ts";
import type { Credential } from "./credential.ts";

/** A credential and its expiry. */
export interface ExecResult {
  readonly credential: Credential;
  /** In milliseconds; undefined for a credential that is valid until it is rejected. */
  readonly expiresAt: number | undefined;
}

/** The ExecCredential that a plugin reads from KUBERNETES_EXEC_INFO. */
export function execInfo(
  exec: ExecConfig,
  { config, interactive }: { config: ClientConfig; interactive: boolean },
): string {
  const { apiVersion, provideClusterInfo } = exec;
  const cluster = provideClusterInfo ? { cluster: clusterInfo(config) } : {};
  return JSON.stringify({ kind: "ExecCredential", apiVersion, spec: { ...cluster, interactive } });
}

function clusterInfo(config: ClientConfig) {
  const { certificateAuthority, execExtension } = config;
  return {
    server: config.server,
    "tls-server-name": config.tlsServerName,
    "insecure-skip-tls-verify": config.insecureSkipTlsVerify,
    "certificate-authority-data":
      certificateAuthority && Buffer.from(certificateAuthority.pem).toString("base64"),
    "proxy-url": config.proxyUrl,
    "disable-compression": config.disableCompression,
    config: execExtension ?? null,
  };
}

interface ExecCredentialStatus {
  readonly expirationTimestamp?: unknown;
  readonly token?: unknown;
  readonly clientCertificateData?: unknown;
  readonly clientKeyData?: unknown;
}

/** Throws an Error whose message contains no part of the output. */
export function parseExecCredential(output: string, apiVersion: string): ExecResult {
  const printed = parseObject(output);
  if (printed.kind !== "ExecCredential" || printed.apiVersion !== apiVersion) {
    const found = `${printed.apiVersion} ${printed.kind}`;
    throw new Error(`it printed ${found} where ${apiVersion} ExecCredential is configured`);
  }
  const { status } = printed;
  if (typeof status !== "object" || status === null) throw new Error("it printed no status");
  return resultOf(status);
}

function parseObject(output: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(output);
    if (typeof parsed === "object" && parsed !== null) return { ...parsed };
  } catch {
    // The parser's message contains the input.
  }
  throw new Error("it printed no JSON object");
}

function resultOf(status: ExecCredentialStatus): ExecResult {
  const token = textOf(status, "token");
  const cert = textOf(status, "clientCertificateData");
  const key = textOf(status, "clientKeyData");
  const expiration = textOf(status, "expirationTimestamp");
  if (!token && !cert && !key) throw new Error("it gave neither a token nor a certificate");
  if (!cert !== !key) throw new Error("it gave only a certificate or only a key, not both");
  if (cert && key) checkPair(cert, key);
  return {
    credential: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cert && key && { certificate: { cert, key } }),
    },
    expiresAt: expiration ? parseTime(expiration).getTime() : undefined,
  };
}

function textOf(status: ExecCredentialStatus, field: keyof ExecCredentialStatus): string {
  const value = status[field] ?? "";
  if (typeof value === "string") return value;
  throw new Error(`its status.${field} is not text`);
}

function checkPair(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`its certificate and key cannot be used: ${(error as Error).message}`);
  }
}
