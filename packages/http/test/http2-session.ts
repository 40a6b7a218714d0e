import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import type { HttpServer } from "@rookery/http";
import { trustedCa } from "./certificates.ts";

/** A bare HTTP/2 connection, for what undici does not do. */
export async function openHttp2(
  server: HttpServer,
): Promise<{ session: ClientHttp2Session } & AsyncDisposable> {
  const session = connect(server.url, { ca: await trustedCa() });
  session.on("error", () => {});
  await once(session, "remoteSettings");
  return { session, [Symbol.asyncDispose]: async () => session.destroy() };
}
