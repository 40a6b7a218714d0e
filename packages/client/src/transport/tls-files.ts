import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { ClientTls, Interceptor } from "@rookery/http";
import type { ClientConfig, PemSource } from "../kubeconfig/client-config.ts";
import type { Timekeeper } from "../timekeeper.ts";

const checkAfter = 60_000;

type PemField = "ca" | "cert" | "key";
type Pem = { readonly [field in PemField]?: string };

export interface TlsFilesOptions {
  readonly files: readonly TlsFile[];
  readonly timekeeper: Timekeeper;
  readonly onChange: (tls: Pem) => void;
}

export interface TlsFile {
  readonly field: PemField;
  readonly file: string;
  readonly pem: string;
}

export function tlsOf(config: ClientConfig): ClientTls {
  const { certificateAuthority: ca, tlsServerName, insecureSkipTlsVerify } = config;
  const { certificate } = config.user;
  return {
    ...(ca && { ca: ca.pem }),
    ...(certificate && { cert: certificate.cert.pem, key: certificate.key.pem }),
    ...(tlsServerName && { servername: tlsServerName }),
    ...(insecureSkipTlsVerify && { rejectUnauthorized: false }),
  };
}

/** The files that may be renewed. */
export function tlsFilesOf({ certificateAuthority, user }: ClientConfig): readonly TlsFile[] {
  const sources: [PemField, PemSource | undefined][] = [
    ["ca", certificateAuthority],
    ["cert", user.certificate?.cert],
    ["key", user.certificate?.key],
  ];
  return sources.flatMap(([field, source]) =>
    source?.file === undefined ? [] : [{ field, file: source.file, pem: source.pem }],
  );
}

/** Checks the files once a minute; new connections use renewed certificates. */
export function reloadTlsFiles(options: TlsFilesOptions): Interceptor {
  const { files, timekeeper, onChange } = options;
  let current: Pem = Object.fromEntries(files.map(({ field, pem }) => [field, pem]));
  let checkedAt = timekeeper.now();
  const check = async () => {
    checkedAt = timekeeper.now();
    const next = await readAll(files);
    if (next === undefined || files.every(({ field }) => next[field] === current[field])) return;
    current = next;
    onChange(next);
  };
  return (next) => async (request) => {
    if (timekeeper.now() - checkedAt >= checkAfter) await check();
    return next(request);
  };
}

/** Undefined while a renewal is incomplete. */
async function readAll(files: readonly TlsFile[]): Promise<Pem | undefined> {
  try {
    const read = files.map(async ({ field, file }) => [field, await readFile(file, "utf8")]);
    const pem: Pem = Object.fromEntries(await Promise.all(read));
    createSecureContext(pem);
    return pem;
  } catch {
    return undefined;
  }
}
