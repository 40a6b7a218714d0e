import { isIP } from "node:net";
import type { Clock } from "@rookery/kube";
import {
  type CertificateAndKey,
  type CertificateAuthority,
  createCertificateAuthority,
  createKeyPair,
  keyMatchesCertificate,
  type LeafOptions,
  loadCertificateAuthority,
  parseCertificate,
  renewalTime,
  verifyCertificate,
} from "@rookery/pki";
import type { PkiFiles } from "./pki-files.ts";

type LeafName = "apiserver" | "front-proxy-client";
type OwnLeafName = LeafName | "admin";

export interface LocalPki {
  /** Issues user certificates and the serving certificate. */
  readonly ca: Pick<CertificateAndKey, "certificate">;
  readonly frontProxyCa: Pick<CertificateAndKey, "certificate">;
  /** The private key in PEM that signs service account tokens. */
  readonly serviceAccountKey: string;
  /** Further keys that verify tokens. */
  readonly verificationKeys?: readonly string[];
  /** The current certificates; there is no administrator's with external certificates. */
  readonly leaves: Readonly<Record<LeafName, CertificateAndKey>> & {
    readonly admin?: CertificateAndKey;
  };
  /** The cluster's signing authority. */
  authority(): Promise<CertificateAuthority>;
  /** Renews due certificates; true if any was renewed. */
  renew(): Promise<boolean>;
}

/** A PKI with certificates of its own. */
export interface OwnPki extends LocalPki {
  readonly leaves: Readonly<Record<OwnLeafName, CertificateAndKey>>;
}

export interface LocalPkiOptions {
  readonly files: PkiFiles;
  /** The DNS names and IP addresses of the serving certificate. */
  readonly hosts: readonly string[];
  readonly now: Clock;
}

/** Creates missing or due certificates and loads the others. Throws errors of @rookery/pki. */
export async function openLocalPki(options: LocalPkiOptions): Promise<OwnPki> {
  const { files } = options;
  const ca = await authorityPair(options, "ca", "kubernetes");
  const frontProxyCa = await authorityPair(options, "front-proxy-ca", "front-proxy");
  const serviceAccount = await keyPair(files);
  const authorities = {
    ca: lazyAuthority(ca, options.now),
    frontProxy: lazyAuthority(frontProxyCa, options.now),
  };
  const recipes = leafRecipes(options.hosts, authorities);
  const leaves = await openLeaves(recipes, options);
  return {
    ca,
    frontProxyCa,
    serviceAccountKey: serviceAccount.key,
    leaves,
    authority: authorities.ca.load,
    async renew() {
      const before = Object.values(leaves);
      Object.assign(leaves, await openLeaves(recipes, options));
      return Object.values(leaves).some((leaf, index) => leaf.key !== before[index]?.key);
    },
  };
}

async function authorityPair(
  { files, now }: LocalPkiOptions,
  name: string,
  commonName: string,
): Promise<CertificateAndKey> {
  const found = await files.read(name);
  if (found) return found;
  const { certificate, key } = await createCertificateAuthority({ commonName, now });
  await files.write(name, { certificate, key });
  return { certificate, key };
}

/** The public key takes the place of a certificate. */
async function keyPair(files: PkiFiles): Promise<CertificateAndKey> {
  const found = await files.read("service-account");
  if (found) return found;
  const { publicKey, privateKey } = await createKeyPair();
  const made = { certificate: publicKey, key: privateKey };
  await files.write("service-account", made);
  return made;
}

interface LazyAuthority {
  readonly certificate: string;
  readonly load: () => Promise<CertificateAuthority>;
}

/** The signing library loads slowly, and most starts sign nothing. */
function lazyAuthority(pair: CertificateAndKey, now: Clock): LazyAuthority {
  let loaded: Promise<CertificateAuthority> | undefined;
  const load = () => {
    loaded ??= loadCertificateAuthority(pair, now);
    return loaded;
  };
  return { certificate: pair.certificate, load };
}

interface LeafRecipe {
  readonly name: OwnLeafName;
  readonly authority: LazyAuthority;
  readonly leaf: LeafOptions;
}

function leafRecipes(
  hosts: readonly string[],
  { ca, frontProxy }: { ca: LazyAuthority; frontProxy: LazyAuthority },
): readonly LeafRecipe[] {
  const serving = {
    commonName: "kube-apiserver",
    dnsNames: hosts.filter((host) => isIP(host) === 0),
    ipAddresses: hosts.filter((host) => isIP(host) !== 0),
    usages: ["server" as const],
  };
  const usages = ["client" as const];
  const admin = { commonName: "kubernetes-admin", organizations: ["system:masters"], usages };
  return [
    { name: "apiserver", authority: ca, leaf: serving },
    { name: "admin", authority: ca, leaf: admin },
    {
      name: "front-proxy-client",
      authority: frontProxy,
      leaf: { commonName: "front-proxy-client", usages },
    },
  ];
}

async function openLeaves(
  recipes: readonly LeafRecipe[],
  { files, now }: LocalPkiOptions,
): Promise<Record<OwnLeafName, CertificateAndKey>> {
  const opened = recipes.map(async ({ name, authority, leaf }) => {
    const found = await files.read(name);
    if (found && isUsable(found, { leaf, ca: authority.certificate, now: now() }))
      return [name, found];
    const issued = await (await authority.load()).issue(leaf);
    await files.write(name, issued);
    return [name, issued];
  });
  return Object.fromEntries(await Promise.all(opened));
}

interface Wanted {
  readonly leaf: LeafOptions;
  readonly ca: string;
  readonly now: Date;
}

/** Whether a certificate is valid, not due, and has the wanted names and usage. */
function isUsable({ certificate, key }: CertificateAndKey, { leaf, ca, now }: Wanted): boolean {
  try {
    const [usage] = leaf.usages;
    verifyCertificate({ certificate, caBundle: ca, now, ...(usage && { usage }) });
    const info = parseCertificate(certificate);
    const names = new Set([...info.dnsNames, ...info.ipAddresses]);
    const wanted = [...(leaf.dnsNames ?? []), ...(leaf.ipAddresses ?? [])];
    return (
      keyMatchesCertificate(key, certificate) &&
      wanted.every((name) => names.has(name)) &&
      now < renewalTime(info)
    );
  } catch {
    return false;
  }
}
