import { createCertificateAuthority } from "@rookery/pki";

const authority = createCertificateAuthority({ commonName: "test" });

export interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

/** The certificate of the authority that all certificates of these tests come from. */
export async function caCertificate(): Promise<string> {
  return (await authority).certificate;
}

/** A new certificate of a client. */
export async function clientCertificate(commonName: string): Promise<CertificateAndKey> {
  const issued = await (await authority).issue({ commonName, usages: ["client"] });
  return { cert: issued.certificate, key: issued.key };
}

export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
