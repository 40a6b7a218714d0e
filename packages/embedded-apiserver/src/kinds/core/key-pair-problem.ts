import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";

/** Why a certificate and a key in base64 are no pair, in the words of Go's crypto/tls. */
export function keyPairProblem(data: Readonly<Record<string, string>>): string | undefined {
  const certificate = Buffer.from(data["tls.crt"] ?? "", "base64").toString();
  const key = Buffer.from(data["tls.key"] ?? "", "base64").toString();
  if (!certificate.includes("-----BEGIN ")) {
    return "tls: failed to find any PEM data in certificate input";
  }
  if (!certificate.includes("-----BEGIN CERTIFICATE-----")) {
    const types = [...certificate.matchAll(/-----BEGIN ([^-]+)-----/g)].map(([, type]) => type);
    return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
  }
  if (!key.includes("-----BEGIN ")) return "tls: failed to find any PEM data in key input";
  return mismatch(certificate, key);
}

function mismatch(certificate: string, key: string): string | undefined {
  const own = privateKey(key);
  if (own === undefined) return "tls: failed to parse private key";
  try {
    const matches = new X509Certificate(certificate).checkPrivateKey(own);
    return matches ? undefined : "tls: private key does not match public key";
  } catch {
    return "x509: malformed certificate";
  }
}

function privateKey(key: string): KeyObject | undefined {
  try {
    return createPrivateKey(key);
  } catch {
    return undefined;
  }
}
