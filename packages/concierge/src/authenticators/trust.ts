import { PkiError, parseCertificate, splitCertificates } from "@rookery/pki";
import { CheckError } from "../errors.ts";

/** Which authorities a server must be trusted by: in PEM, or those of the system. */
export interface Trust {
  readonly ca?: string;
}

interface TlsSpec {
  readonly certificateAuthorityData?: string;
}

const invalid = "InvalidTLSConfig";
const field = "spec.tls.certificateAuthorityData";

/** Reads the tls of an authenticator. Errors: CheckError. */
export function readTrust(tls: TlsSpec | undefined): { value: Trust; message: string } {
  const data = tls?.certificateAuthorityData ?? "";
  if (data === "") return { value: {}, message: "the system's certificate authorities are used" };
  const ca = decode(data);
  const certificates = splitCertificates(ca);
  if (certificates.length === 0) {
    throw new CheckError(invalid, `could not read ${field}: it holds no certificate in PEM`);
  }
  for (const certificate of certificates) assertReadable(certificate);
  const message = `${certificates.length} certificate authorities are used`;
  return { value: { ca }, message };
}

/** Strictly: Node's own decoder skips what it does not know, and would hide a mistake. */
function decode(data: string): string {
  const compact = data.replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length % 4 !== 0) {
    const hint = "encode the PEM bundle with `base64 -w0`";
    throw new CheckError(invalid, `could not read ${field}: it is not base64; ${hint}`);
  }
  return Buffer.from(compact, "base64").toString("utf8");
}

function assertReadable(certificate: string): void {
  try {
    parseCertificate(certificate);
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    throw new CheckError(invalid, `could not read ${field}: ${error.message}`);
  }
}
