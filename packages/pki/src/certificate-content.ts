import type { Extension, JsonGeneralName, Name } from "@peculiar/x509";
import { type CertificateNames, canonicalIpAddress } from "./names.ts";
import { type EncodedUsages, encodeUsages } from "./usages.ts";
import { loadX509Library } from "./x509-library.ts";

/** The subject of a certificate. Groups first and the common name last, as Go writes them. */
export async function subjectName(names: CertificateNames): Promise<Name> {
  const { Name } = await loadX509Library();
  // As objects: a plain string would be unquoted and unescaped, and so name somebody else.
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

export interface LeafContent {
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly alternativeNames: JsonGeneralName[];
  readonly usages: EncodedUsages;
  /** The subject key identifier of the issuer, in hex. */
  readonly authorityKeyId: string;
  /** RFC 5280 wants the alternative names critical where the subject is empty. */
  readonly emptySubject: boolean;
}

export async function leafExtensions(leaf: LeafContent): Promise<Extension[]> {
  const x509 = await loadX509Library();
  const { keyUsage, extendedKeyUsage } = leaf.usages;
  const extensions: Extension[] = [
    new x509.BasicConstraintsExtension(false, undefined, true),
    await x509.SubjectKeyIdentifierExtension.create(leaf.publicKey),
    new x509.AuthorityKeyIdentifierExtension(leaf.authorityKeyId),
  ];
  if (keyUsage !== 0) extensions.push(new x509.KeyUsagesExtension(keyUsage, true));
  if (extendedKeyUsage.length > 0) {
    extensions.push(new x509.ExtendedKeyUsageExtension([...extendedKeyUsage]));
  }
  if (leaf.alternativeNames.length > 0) {
    extensions.push(
      new x509.SubjectAlternativeNameExtension(leaf.alternativeNames, leaf.emptySubject),
    );
  }
  return extensions;
}
