import type { KeyObject } from "node:crypto";
import { PkiError } from "./errors.ts";

/** A leaf serves TLS, authenticates a client, or both. */
export type LeafUsage = "server" | "client";

/** Bits of the key usage extension, the first bit lowest. */
const KEY_USAGE_BITS = {
  signing: 1 << 0,
  "digital signature": 1 << 0,
  "content commitment": 1 << 1,
  "key encipherment": 1 << 2,
  "data encipherment": 1 << 3,
  "key agreement": 1 << 4,
  "cert sign": 1 << 5,
  "crl sign": 1 << 6,
  "encipher only": 1 << 7,
  "decipher only": 1 << 8,
} as const;

const EXTENDED_KEY_USAGE_OIDS = {
  any: "2.5.29.37.0",
  "server auth": "1.3.6.1.5.5.7.3.1",
  "client auth": "1.3.6.1.5.5.7.3.2",
  "code signing": "1.3.6.1.5.5.7.3.3",
  "email protection": "1.3.6.1.5.5.7.3.4",
  "s/mime": "1.3.6.1.5.5.7.3.4",
  "ipsec end system": "1.3.6.1.5.5.7.3.5",
  "ipsec tunnel": "1.3.6.1.5.5.7.3.6",
  "ipsec user": "1.3.6.1.5.5.7.3.7",
  timestamping: "1.3.6.1.5.5.7.3.8",
  "ocsp signing": "1.3.6.1.5.5.7.3.9",
  "microsoft sgc": "1.3.6.1.4.1.311.10.3.3",
  "netscape sgc": "2.16.840.1.113730.4.1",
} as const;

/** The values of `spec.usages` of a CertificateSigningRequest. */
export type KeyUsage = keyof typeof KEY_USAGE_BITS | keyof typeof EXTENDED_KEY_USAGE_OIDS;

/** Encodes usages as the CSR signer of kube-controller-manager does; rejects unknown words. */
export function encodeUsages(usages: readonly KeyUsage[]) {
  if (usages.length === 0) {
    throw new PkiError("InvalidUsage", "could not sign the certificate: it has no usages");
  }
  const extendedKeyUsage = new Set<string>();
  let keyUsage = 0;
  for (const usage of usages) {
    if (Object.hasOwn(KEY_USAGE_BITS, usage)) {
      keyUsage |= KEY_USAGE_BITS[usage as keyof typeof KEY_USAGE_BITS];
    } else if (Object.hasOwn(EXTENDED_KEY_USAGE_OIDS, usage)) {
      extendedKeyUsage.add(EXTENDED_KEY_USAGE_OIDS[usage as keyof typeof EXTENDED_KEY_USAGE_OIDS]);
    } else {
      const why = `unrecognized usage "${usage}"`;
      throw new PkiError("InvalidUsage", `could not sign the certificate: ${why}`);
    }
  }
  return { keyUsage, extendedKeyUsage: [...extendedKeyUsage].sort() };
}

/** The usages of a TLS leaf. Only an RSA key can encipher another key. */
export function leafUsages(usages: readonly LeafUsage[], key: KeyObject): KeyUsage[] {
  const purposes = usages.map((usage): KeyUsage => `${usage} auth`);
  if (purposes.length === 0) return [];
  const encipherment: KeyUsage[] = key.asymmetricKeyType === "rsa" ? ["key encipherment"] : [];
  return ["digital signature", ...encipherment, ...purposes];
}
