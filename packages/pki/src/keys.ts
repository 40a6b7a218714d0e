import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair as generateKeyPairCallback,
  type KeyObject,
} from "node:crypto";
import { promisify } from "node:util";
import { PkiError } from "./errors.ts";

const generateKeyPairAsync = promisify(generateKeyPairCallback);

/** ECDSA on P-256 by default: creating an RSA key takes a thousand times as long. */
export type KeyAlgorithm = "ecdsa-p256" | "rsa-2048" | "rsa-4096";

/** A key pair in PEM: SPKI and PKCS#8. */
export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A certificate with its private key, both in PEM. Keys that this package creates are PKCS#8. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

/** Creates a key pair, for example to sign service account tokens. */
export async function createKeyPair(algorithm: KeyAlgorithm = "ecdsa-p256"): Promise<KeyPair> {
  const privateKey = await generatePrivateKey(algorithm);
  return { publicKey: publicKeyPem(privateKey), privateKey: privateKeyPem(privateKey) };
}

/** The public key, as SPKI in PEM, of a private key in any PEM form. */
export function publicKeyOf(privateKey: string): string {
  return publicKeyPem(readPrivateKey(privateKey));
}

export async function generatePrivateKey(algorithm: KeyAlgorithm): Promise<KeyObject> {
  switch (algorithm) {
    case "ecdsa-p256":
      return (await generateKeyPairAsync("ec", { namedCurve: "P-256" })).privateKey;
    case "rsa-2048":
      return (await generateKeyPairAsync("rsa", { modulusLength: 2048 })).privateKey;
    case "rsa-4096":
      return (await generateKeyPairAsync("rsa", { modulusLength: 4096 })).privateKey;
  }
}

/** Reads PKCS#8, PKCS#1 ("RSA PRIVATE KEY") and SEC 1 ("EC PRIVATE KEY"). */
export function readPrivateKey(pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) {
    throw new PkiError("InvalidKey", "could not read the private key: it is encrypted");
  }
  try {
    return createPrivateKey(pem);
  } catch {
    // Without the cause, which might quote the private key.
    throw new PkiError("InvalidKey", "could not read the private key: it is not a key in PEM");
  }
}

/** The public key as SPKI, DER. */
export function subjectPublicKeyInfo(key: KeyObject): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createPublicKey(key).export({ type: "spki", format: "der" }));
}

function publicKeyPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
}

export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
