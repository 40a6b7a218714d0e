import type { CertificateNeed } from "@rookery/components";
import { messageOf } from "@rookery/errors";
import { keyMatchesCertificate, parseCertificate, verifyCertificate } from "@rookery/pki";
import type { Secret } from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import type { IssuedCertificate } from "./certificate-rotation.ts";

const fields = ["tls.crt", "tls.key", "ca.crt"] as const;

/**
 * Reads a certificate that a user has put into the Secret. Errors: PhaseError if the webhooks of the
 * components could not be called with it.
 */
export function readForeignSecret(
  secret: Secret,
  need: CertificateNeed,
  now: Date,
): IssuedCertificate {
  const missing = fields.filter((field) => !secret.data?.[field]);
  if (missing.length > 0) throw unusable(need, `it has no ${missing.join(" and no ")}`);
  const text = (field: string) => Buffer.from(secret.data?.[field] ?? "", "base64").toString();
  const [certificate, caBundle] = [text("tls.crt"), text("ca.crt")];
  try {
    if (!keyMatchesCertificate(text("tls.key"), certificate)) {
      throw unusable(need, "tls.key is not the key of tls.crt");
    }
    for (const host of need.dnsNames) {
      verifyCertificate({ certificate, caBundle, now, usage: "server", host });
    }
    return { caBundle, renewAt: parseCertificate(certificate).notAfter };
  } catch (cause) {
    if (cause instanceof PhaseError) throw cause;
    throw unusable(need, messageOf(cause), cause);
  }
}

function unusable(need: CertificateNeed, why: string, cause?: unknown): PhaseError {
  const { namespace, secretName } = need;
  const way = `replace its ${fields.join(", ")}, or delete it and the operator issues its own`;
  return new PhaseError("ProviderFetched", "CertificateSecretUnusable", {
    message: `could not use Secret "${namespace}/${secretName}": ${why}; ${way}`,
    // Secrets of users are not watched.
    retryAfterSeconds: 60,
    cause,
  });
}
