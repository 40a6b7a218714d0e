import { createPublicKey } from "node:crypto";
import {
  type CertificateAuthority,
  createCertificateAuthority,
  createKeyPair,
  loadCertificateAuthority,
  publicKeyOf,
} from "@rookery/pki";
import { ControlPlaneError } from "../errors.ts";
import { type Authority, authorityNames, authoritySecret, serviceAccountSecret } from "../names.ts";
import { allOrProblems } from "../problems.ts";
import { type Rotation, rotate } from "./rotation.ts";
import type { PkiScope } from "./scope.ts";
import {
  ownedSecret,
  refuseForeign,
  requiredPair,
  type Secret,
  secretProblem,
  withSecretProblems,
} from "./secret.ts";

/** An authority with the progress of its rotation. */
interface RotatingAuthority extends CertificateAuthority {
  readonly rotation: Rotation;
}

export type Authorities = Readonly<Record<Authority, RotatingAuthority>>;

/**
 * Reads, creates and rotates authorities; supplied ones stay unchanged. Errors: ControlPlaneError.
 */
export async function ensureAuthorities(scope: PkiScope): Promise<Authorities> {
  const [ca, etcd, proxy] = await allOrProblems<RotatingAuthority | undefined>([
    ensureAuthority("ca", scope),
    ensureAuthority("etcd", scope),
    ensureAuthority("proxy", scope),
    ensureServiceAccountKeys(scope),
  ]);
  return { ca, etcd, proxy } as Authorities;
}

async function ensureAuthority(authority: Authority, scope: PkiScope): Promise<RotatingAuthority> {
  const name = authoritySecret(scope.cluster, authority);
  const found = await findOrCreate(name, scope, async () => {
    const { certificate, key } = await createCertificateAuthority({
      commonName: authorityNames[authority],
      lifetimeSeconds: scope.caValidityMs / 1000,
      now: scope.clock,
    });
    return { "tls.crt": certificate, "tls.key": key };
  });
  const { secret, rotation } = await withSecretProblems(name, () =>
    rotate(authority, found, scope),
  );
  const pair = requiredPair(secret);
  const load = () => loadCertificateAuthority(pair, scope.clock);
  return { ...(await withSecretProblems(name, load)), rotation };
}

async function ensureServiceAccountKeys(scope: PkiScope): Promise<undefined> {
  const name = serviceAccountSecret(scope.cluster);
  const secret = await findOrCreate(name, scope, async () => {
    const { publicKey, privateKey } = await createKeyPair();
    return { "tls.crt": publicKey, "tls.key": privateKey };
  });
  const { certificate: publicKey, key: privateKey } = requiredPair(secret);
  await withSecretProblems(name, () => {
    if (publicKeyOf(privateKey) === spkiOf(publicKey)) return;
    throw secretProblem(name, "KeyMismatch", "the public key in tls.crt is not that of tls.key");
  });
}

/** A lost Secret is not replaced once the tenant uses it: nothing would trust the new one. */
async function findOrCreate(
  name: string,
  scope: PkiScope,
  make: () => Promise<Record<string, string>>,
): Promise<Secret> {
  const found = await scope.store.get(name);
  if (found) refuseForeign(found, scope);
  if (found) return found;
  if (scope.isInitialized) {
    const why = "it was deleted, and tenants rely on what was in it";
    throw new ControlPlaneError(
      "AuthorityMissing",
      `could not use the Secret ${name}: ${why}; bring it back from a backup, another one would not be trusted`,
    );
  }
  return scope.store.create(ownedSecret(name, scope, await make()));
}

/** The SPKI of a public key or of a certificate. */
function spkiOf(pem: string): string | undefined {
  try {
    return createPublicKey(pem).export({ type: "spki", format: "pem" }).toString();
  } catch {
    return undefined;
  }
}
