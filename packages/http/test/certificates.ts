import { createCertificateAuthority } from "@rookery/pki";

const authority = createCertificateAuthority({ commonName: "test" });

/** The authority that all certificates of these tests come from. */
export async function trustedCa(): Promise<string> {
  return (await authority).certificate;
}

export async function serverCertificate(): Promise<{ cert: string; key: string }> {
  const { certificate, key } = await (await authority).issue({
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  return { cert: certificate, key };
}

export async function clientCertificate(): Promise<{ cert: string; key: string }> {
  const { certificate, key } = await (await authority).issue({
    commonName: "admin",
    organizations: ["system:masters"],
    usages: ["client"],
  });
  return { cert: certificate, key };
}
