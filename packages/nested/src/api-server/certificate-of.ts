import { once } from "node:events";
import { connect } from "node:tls";
import { apiServerPort } from "../names.ts";

const timeoutMs = 1_000;

/** The fingerprint of the certificate that the API server of a pod shows; undefined where it is not reached. */
export async function certificateOf(
  host: string,
  { port = apiServerPort, signal }: { readonly port?: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  // Nothing is sent, and it is compared with the one that is known.
  const socket = connect({ host, port, rejectUnauthorized: false });
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    await once(socket, "secureConnect", { signal: inTime });
    return socket.getPeerX509Certificate()?.fingerprint256;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
