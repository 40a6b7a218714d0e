import { createSecureContext } from "node:tls";
import type { buildConnector } from "undici";
import createConnector from "undici/lib/core/connect.js";
import type { ClientTls } from "./http-client.ts";

type Connector = buildConnector.connector;

/**
 * Connects with certificates and key that are read once, by the first connection. Otherwise each has a
 * copy of its own, tens of kilobytes that V8 does not see, and so leaves lying about for long.
 */
export function sharingConnector(
  options: buildConnector.BuildOptions,
  { ca, cert, key }: Pick<ClientTls, "ca" | "cert" | "key">,
): Connector {
  const create = () => {
    const material = { ...(ca && { ca: [ca].flat() }), ...(cert && { cert }), ...(key && { key }) };
    return createConnector({ ...options, secureContext: createSecureContext(material) });
  };
  let connect: Connector | undefined;
  return (target, callback) => {
    try {
      connect ??= create();
    } catch (error) {
      // What is no certificate or no key is told as a connection that failed.
      return callback(error as Error, null);
    }
    connect(target, callback);
  };
}
