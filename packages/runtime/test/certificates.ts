import {
  createCertificateAuthority,
  createServingCertificate,
  parseCertificate,
  type SecretData,
} from "@rookery/pki";

const day = 24 * 3600;

/** What a provider left in its Secret 22 days ago: its authority, for 30 days, is to be renewed now. */
export async function agedCertificate(service: string, namespace: string): Promise<SecretData> {
  let data: SecretData = {};
  const name = `${service}.${namespace}.svc`;
  const issued = new Date(Date.now() - 22 * day * 1000);
  const certificate = createServingCertificate({
    commonName: service,
    dnsNames: [name, `${name}.cluster.local`],
    authorityLifetimeSeconds: 30 * day,
    leafLifetimeSeconds: 30 * day,
    now: () => issued,
    load: async () => undefined,
    save: async (saved) => {
      data = saved;
    },
    publish: async () => {},
    serve: async () => {},
  });
  await certificate.reconcile();
  return data;
}

/** The name of the authority that issued the certificate in a Secret. */
export function issuerOf(data: SecretData): string {
  const certificate = Buffer.from(data["tls.crt"] ?? "", "base64").toString();
  return parseCertificate(certificate).issuer.commonName ?? "";
}

/** Two certificates for one name, each of an authority of its own, both of which are trusted. */
export class MountedCertificates {
  readonly first: SecretData;
  readonly second: SecretData;
  readonly caBundle: string;

  static async create(dnsName: string): Promise<MountedCertificates> {
    const issue = async (commonName: string) => {
      const authority = await createCertificateAuthority({ commonName });
      const names = { commonName: "webhook", dnsNames: [dnsName] };
      const leaf = await authority.issue({ ...names, usages: ["server"] });
      const encode = (text: string) => Buffer.from(text).toString("base64");
      const data = { "tls.crt": encode(leaf.certificate), "tls.key": encode(leaf.key) };
      return { data, authority: authority.certificate };
    };
    return new MountedCertificates(await issue("first"), await issue("second"));
  }

  private constructor(first: Issued, second: Issued) {
    this.first = first.data;
    this.second = second.data;
    this.caBundle = first.authority + second.authority;
  }
}

interface Issued {
  readonly data: SecretData;
  readonly authority: string;
}
