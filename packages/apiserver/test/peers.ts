import { X509Certificate } from "node:crypto";
import { Context, type PeerCertificate, peerKey } from "@rookery/http";
import type { LeafOptions } from "@rookery/pki";
import {
  type CertificateAuthority,
  createCertificateAuthority,
  splitCertificates,
} from "@rookery/pki";

/** The context of a request that came by a connection with this client certificate, in PEM. */
export function contextOfPeer(certificate?: string): Context {
  const peer = { address: "192.0.2.1", port: 4711, protocol: "HTTP/2.0" } as const;
  if (certificate === undefined) return Context.empty.with(peerKey, peer);
  const chain = splitCertificates(certificate).map((pem) => new X509Certificate(pem).raw);
  const shown: PeerCertificate = { chain, verified: true };
  return Context.empty.with(peerKey, { ...peer, certificate: shown });
}

/** The context of a peer whom an authority has given a certificate. */
export async function contextOfClient(
  authority: CertificateAuthority,
  leaf: Partial<LeafOptions> & { readonly commonName: string },
): Promise<Context> {
  const { certificate } = await authority.issue({ usages: ["client"], ...leaf });
  return contextOfPeer(certificate);
}

/** The authorities of a cluster: one for users, one for front proxies. */
export async function createAuthorities() {
  const [users, proxies] = await Promise.all([
    createCertificateAuthority({ commonName: "users" }),
    createCertificateAuthority({ commonName: "front-proxies" }),
  ]);
  return { users, proxies };
}
