import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { messageOf } from "@rookery/errors";
import type { Clock } from "@rookery/kube";
import {
  type CertificateAndKey,
  type CertificateAuthority,
  keyMatchesCertificate,
  loadCertificateAuthority,
} from "@rookery/pki";
import { CertificateFileError } from "../errors.ts";
import type { LocalPki } from "./local-pki.ts";

interface PairFiles {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Paths of external certificates and keys in PEM, with the matching flags of kube-apiserver and
 * kube-controller-manager.
 */
export interface CertificateFiles {
  /** --client-ca-file. Clients also trust it for the API server. */
  readonly clientCa: string;
  /** --tls-cert-file and --tls-private-key-file. */
  readonly serving: PairFiles;
  /** --requestheader-client-ca-file. */
  readonly frontProxyCa: string;
  /** --proxy-client-cert-file and --proxy-client-key-file. */
  readonly proxyClient: PairFiles;
  /** --service-account-signing-key-file. */
  readonly serviceAccountSigningKey: string;
  /** --service-account-key-file: further public or private keys that verify tokens. */
  readonly serviceAccountKeys: readonly string[];
  /** --cluster-signing-cert-file and --cluster-signing-key-file. */
  readonly clusterSigning: PairFiles;
}

interface Contents {
  readonly ca: string;
  readonly frontProxyCa: string;
  readonly leaves: Readonly<Record<"apiserver" | "front-proxy-client", CertificateAndKey>>;
}

/**
 * Reads certificates that are renewed externally. Service account keys are read once; the others
 * are reloaded, as in kube-apiserver. Throws a CertificateFileError.
 */
export async function openCertificateFiles(files: CertificateFiles, now: Clock): Promise<LocalPki> {
  const serviceAccountKey = await textOf(files.serviceAccountSigningKey);
  const verificationKeys = await Promise.all(files.serviceAccountKeys.map(textOf));
  let contents = await read(files);
  return {
    get ca() {
      return { certificate: contents.ca };
    },
    get frontProxyCa() {
      return { certificate: contents.frontProxyCa };
    },
    get leaves() {
      return contents.leaves;
    },
    serviceAccountKey,
    verificationKeys,
    authority: () => signingAuthority(files.clusterSigning, now),
    async renew() {
      const found = await read(files);
      if (isDeepStrictEqual(found, contents)) return false;
      contents = found;
      return true;
    },
  };
}

async function read(files: CertificateFiles): Promise<Contents> {
  const [ca, frontProxyCa, apiserver, proxyClient] = await Promise.all([
    textOf(files.clientCa),
    textOf(files.frontProxyCa),
    pairOf(files.serving),
    pairOf(files.proxyClient),
  ]);
  return { ca, frontProxyCa, leaves: { apiserver, "front-proxy-client": proxyClient } };
}

/** Two files can't be replaced atomically: a mismatched pair is ignored. */
async function pairOf(files: PairFiles): Promise<CertificateAndKey> {
  const [certificate, key] = await Promise.all([textOf(files.certificate), textOf(files.key)]);
  if (fits({ certificate, key })) return { certificate, key };
  const why = `it does not hold the key of ${files.certificate}; give a pair that fits together`;
  throw new CertificateFileError(files.key, why);
}

function fits({ certificate, key }: CertificateAndKey): boolean {
  try {
    return keyMatchesCertificate(key, certificate);
  } catch {
    return false;
  }
}

/** Loaded on demand: few clusters sign certificates. */
async function signingAuthority(files: PairFiles, now: Clock): Promise<CertificateAuthority> {
  return loadCertificateAuthority(await pairOf(files), now);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const why = messageOf(error);
    throw new CertificateFileError(file, `${why}; see whether it is there and may be read`, error);
  }
}
