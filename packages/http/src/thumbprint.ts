import { TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import createConnector from "undici/lib/core/connect.js";
import { InvalidThumbprintError, ThumbprintMismatchError } from "./errors.ts";

type Connector = buildConnector.connector;

const sha1Length = 40;
const sha256Length = 64;

/** Upper case, without colons. Throws InvalidThumbprintError. */
export function parseThumbprint(thumbprint: string): string {
  const hex = thumbprint.replaceAll(":", "").toUpperCase();
  const isLength = hex.length === sha1Length || hex.length === sha256Length;
  if (!isLength || !/^[0-9A-F]+$/.test(hex)) {
    const why = "it must be the SHA-1 or SHA-256 of a certificate in hex, such as AB:CD:…";
    throw new InvalidThumbprintError(thumbprint, why);
  }
  return hex;
}

/** Connects only to a server whose certificate has the thumbprint. */
export function pinnedConnector(
  options: buildConnector.BuildOptions,
  thumbprint: string,
): Connector {
  const wanted = parseThumbprint(thumbprint);
  // A resumed session has no certificate.
  const connect = createConnector({ ...options, rejectUnauthorized: false, maxCachedSessions: 0 });
  return (target, callback) =>
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      const found = socket instanceof TLSSocket ? thumbprintOf(socket, wanted.length) : undefined;
      if (found === wanted) return callback(null, socket);
      socket.destroy();
      callback(new ThumbprintMismatchError(wanted, found ?? "none"), null);
    });
}

function thumbprintOf(socket: TLSSocket, length: number): string | undefined {
  const { fingerprint, fingerprint256 } = socket.getPeerCertificate();
  return (length === sha1Length ? fingerprint : fingerprint256)?.replaceAll(":", "");
}
