import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { contextKey } from "./context.ts";

/** The certificate that a client showed. */
export interface PeerCertificate {
  /** DER, the client's own first, then its issuers as far as they are known. */
  readonly chain: readonly Uint8Array[];
  /** Whether it led to one of the server's client authorities when the connection was made. */
  readonly verified: boolean;
  /** Why it did not, in OpenSSL's words. */
  readonly reason?: string;
}

/** The other end of the connection by which a request came. */
export interface Peer {
  readonly address: string;
  readonly port: number;
  readonly protocol: "HTTP/1.1" | "HTTP/2.0";
  readonly certificate?: PeerCertificate;
}

/** Under this key a server puts the peer into the context of each request. */
export const peerKey = contextKey<Peer>("peer");

/** `socket` is the client's; that of an HTTP/2 session is as good. */
export function describePeer(socket: Socket | TLSSocket, protocol: Peer["protocol"]): Peer {
  const certificate = isTlsSocket(socket) ? peerCertificate(socket) : undefined;
  return {
    address: socket.remoteAddress ?? "",
    port: socket.remotePort ?? 0,
    protocol,
    ...(certificate && { certificate }),
  };
}

/** Not by class or by `in`: the socket of an HTTP/2 session is a proxy. */
function isTlsSocket(socket: Socket | TLSSocket): socket is TLSSocket {
  return typeof (socket as TLSSocket).getPeerX509Certificate === "function";
}

function peerCertificate(socket: TLSSocket): PeerCertificate | undefined {
  const chain: Uint8Array[] = [];
  let certificate: X509Certificate | undefined = socket.getPeerX509Certificate();
  for (; certificate; certificate = certificate.issuerCertificate) chain.push(certificate.raw);
  if (chain.length === 0) return undefined;
  if (socket.authorized) return { chain, verified: true };
  return { chain, verified: false, reason: String(socket.authorizationError) };
}
