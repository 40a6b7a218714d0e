import { createPublicKey, type KeyObject, randomBytes, type webcrypto } from "node:crypto";
import type { Extension, Name } from "@peculiar/x509";
import { PkiError } from "./errors.ts";
import type { Validity } from "./validity.ts";
import { loadX509Library } from "./x509-library.ts";

/** The content of a certificate besides its serial number and signature. */
export interface CertificateContent {
  readonly subject: Name;
  readonly issuer: Name;
  /** SPKI, DER. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly validity: Validity;
  readonly extensions: Extension[];
}

type SigningKeyAlgorithm =
  | { name: "RSASSA-PKCS1-v1_5"; hash: string }
  | { name: "ECDSA"; namedCurve: string; hash: string }
  | { name: "Ed25519" };

/** Node's names of the curves, with a digest of the same strength. */
const CURVES = new Map([
  ["prime256v1", { namedCurve: "P-256", hash: "SHA-256" }],
  ["secp384r1", { namedCurve: "P-384", hash: "SHA-384" }],
  ["secp521r1", { namedCurve: "P-521", hash: "SHA-512" }],
]);

/** Signs a certificate and returns it in PEM. */
export async function signCertificate(
  content: CertificateContent,
  signingKey: KeyObject,
): Promise<string> {
  const { X509CertificateGenerator } = await loadX509Library();
  const { validity, ...others } = content;
  const certificate = await X509CertificateGenerator.create({
    ...others,
    ...validity,
    serialNumber: randomSerialNumber(),
    signingAlgorithm: signingAlgorithm(signingKey),
    signingKey: signingKeyPair(signingKey).privateKey,
  });
  return `${certificate.toString("pem")}\n`;
}

/** The key pair as the X.509 library takes it. */
export function signingKeyPair(key: KeyObject): webcrypto.CryptoKeyPair {
  const algorithm = signingAlgorithm(key);
  return {
    privateKey: key.toCryptoKey(algorithm, false, ["sign"]),
    publicKey: createPublicKey(key).toCryptoKey(algorithm, true, ["verify"]),
  };
}

/** The algorithm to sign with a key. Throws an InvalidKey error for other kinds of keys. */
export function signingAlgorithm(key: KeyObject): SigningKeyAlgorithm {
  if (key.asymmetricKeyType === "rsa") return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  if (key.asymmetricKeyType === "ed25519") return { name: "Ed25519" };
  const curve = CURVES.get(key.asymmetricKeyDetails?.namedCurve ?? "");
  if (key.asymmetricKeyType === "ec" && curve) return { name: "ECDSA", ...curve };
  const why = `its kind ${key.asymmetricKeyType} is not supported`;
  throw new PkiError("InvalidKey", `could not sign with the private key: ${why}`);
}

/** 20 bytes, the most that RFC 5280 allows, positive and without leading zeros. */
function randomSerialNumber(): string {
  const bytes = randomBytes(20);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes.toString("hex");
}
