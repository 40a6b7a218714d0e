import { once } from "node:events";
import { connect } from "node:tls";

const patienceMs = 10_000;

/** Opens and closes a TLS connection. Rejects if the server is not trusted. */
export async function dialTls(
  url: URL,
  trust: { readonly ca?: string },
  signal: AbortSignal,
): Promise<void> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const socket = connect({ host, port: Number(url.port || 443), ...trust });
  // Errors after the result are ignored.
  socket.on("error", () => {});
  const timeout = AbortSignal.timeout(patienceMs);
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.any([signal, timeout]) });
  } catch (error) {
    if (timeout.aborted) throw new Error(`no answer within ${patienceMs / 1000} s`);
    throw error;
  } finally {
    socket.destroy();
  }
}
