import type { Extension, JsonGeneralName, Name } from "@peculiar/x509";
import { type CertificateNames, canonicalIpAddress } from "./names.ts";
import { encodeUsages, type KeyUsage } from "./usages.ts";
import { loadX509Library } from "./x509-library.ts";

/** The subject of a certificate: organizations first and the common name last, as in Go. */
export async function subjectName(names: CertificateNames): Promise<Name> {
  const { Name } = await loadX509Library();
  // Objects: the library would unquote and unescape a plain string, which changes the name.
  const attribute = (type: string) => (text: string) => ({ [type]: [{ utf8String: text }] });
  return new Name([
    ...(names.organizations ?? []).map(attribute("O")),
    ...[names.commonName].map(attribute("CN")),
  ]);
}

export function subjectAlternativeNames(names: CertificateNames): JsonGeneralName[] {
  return [
    ...(names.dnsNames ?? []).map((value) => ({ type: "dns" as const, value })),
    ...(names.ipAddresses ?? []).map((address) => ({
      type: "ip" as const,
      value: canonicalIpAddress(address),
    })),
  ];
}

export async function authorityExtensions(
  publicKey: Uint8Array<ArrayBuffer>,
): Promise<Extension[]> {
  const x509 = await loadX509Library();
  const { keyUsage } = encodeUsages(["digital signature", "cert sign", "crl sign"]);
  return [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(keyUsage, true),
    await x509.SubjectKeyIdentifierExtension.create(publicKey),
  ];
}

export interface LeafSubject {
  readonly subject: Name;
  readonly alternativeNames: JsonGeneralName[];
  /** SPKI, DER. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
}

/** The key identifier is that of the issuer's certificate, in hex. */
export async function leafExtensions(
  { subject, alternativeNames, publicKey }: LeafSubject,
  usages: readonly KeyUsage[],
  authorityKeyId: string,
): Promise<Extension[]> {
  const { keyUsage, extendedKeyUsage } = encodeUsages(usages);
  const x509 = await loadX509Library();
  const extensions: Extension[] = [
    new x509.BasicConstraintsExtension(false, undefined, true),
    await x509.SubjectKeyIdentifierExtension.create(publicKey),
    new x509.AuthorityKeyIdentifierExtension(authorityKeyId),
  ];
  if (keyUsage !== 0) extensions.push(new x509.KeyUsagesExtension(keyUsage, true));
  if (extendedKeyUsage.length > 0) {
    extensions.push(new x509.ExtendedKeyUsageExtension(extendedKeyUsage));
  }
  if (alternativeNames.length > 0) {
    // RFC 5280: the alternative names are critical if the subject is empty.
    const isCritical = subject.toJSON().length === 0;
    extensions.push(new x509.SubjectAlternativeNameExtension(alternativeNames, isCritical));
  }
  return extensions;
}
