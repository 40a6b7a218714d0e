import { PkiError, parseCertificate, splitCertificates } from "@rookery/pki";
import { CheckError } from "../errors.ts";
import type { Checked } from "./checklist.ts";

/** The authorities for a server, in PEM; those of the system by default. */
export interface Trust {
  readonly ca?: string;
}

interface TlsSpec {
  readonly certificateAuthorityData?: string;
}

const invalid = "InvalidTLSConfig";
const field = "spec.tls.certificateAuthorityData";

/** Reads spec.tls of an authenticator. Errors: CheckError. */
export function readTrust(tls: TlsSpec | undefined): Checked<Trust> {
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

/** Strict, because Node's decoder ignores invalid characters. */
function decode(data: string): string {
  const compact = data.replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length % 4 !== 0) {
    const hint = "encode the PEM bundle with `base64 -w0`";
    throw new CheckError(invalid, `could not read ${field}: it is not base64; ${hint}`);
  }
  return Buffer.from(compact, "base64").toString("utf8");
}

/** Parses an https URL; another scheme adds "Scheme" to the reason. Errors: CheckError. */
export function readHttpsUrl(text: string, field: string, reason: string): URL {
  const refused = (why: string, suffix = "", shown = text) =>
    new CheckError(`${reason}${suffix}`, `could not use ${field} "${shown}": ${why}`);
  const url = URL.parse(text);
  if (url === null) throw refused("it is not a URL");
  if (url.protocol !== "https:") throw refused('its scheme must be "https"', "Scheme");
  if (url.username === "" && url.password === "") return url;
  throw refused("it must not hold a user or a password", "", url.origin);
}

function assertReadable(certificate: string): void {
  try {
    parseCertificate(certificate);
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    throw new CheckError(invalid, `could not read ${field}: ${error.message}`);
  }
}
