import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { contextKey } from "./context.ts";

export interface PeerCertificate {
  /** DER, the client's own first, then its known issuers. */
  readonly chain: readonly Uint8Array[];
  /** Whether one of the server's client authorities had signed it when the connection was made. */
  readonly verified: boolean;
  /** In OpenSSL's words. */
  readonly reason?: string;
}

/** The other end of a request's connection. */
export interface Peer {
  readonly address: string;
  readonly port: number;
  readonly protocol: "HTTP/1.1" | "HTTP/2.0";
  readonly certificate?: PeerCertificate;
}

/** The context key of the peer. */
export const peerKey = contextKey<Peer>("peer");

/** `socket` is the client's, or that of an HTTP/2 session. */
export function describePeer(socket: Socket | TLSSocket, protocol: Peer["protocol"]): Peer {
  const certificate = isTlsSocket(socket) ? peerCertificate(socket) : undefined;
  return {
    address: socket.remoteAddress ?? "",
    port: socket.remotePort ?? 0,
    protocol,
    ...(certificate && { certificate }),
  };
}

/** The socket of an HTTP/2 session is a proxy object, so neither class nor `in` work. */
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
