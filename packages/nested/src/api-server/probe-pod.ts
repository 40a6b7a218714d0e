import { once } from "node:events";
import { isIPv6 } from "node:net";
import { connect } from "node:tls";
import { Context, createHttpClient, discardBody } from "@rookery/http";
import { apiServerPort } from "../names.ts";

/** Short: a pod that does not answer is left to the kubelet. */
const timeouts = { connect: 1_000, headers: 1_000, body: 1_000 };

/**
 * Sends the kubelet's readiness probe to a pod. The request has no credentials, and the answer affects only the
 * start of other components: the certificate is not verified. Never rejects.
 */
export async function probePod(
  address: string,
  { port = apiServerPort, signal }: { readonly port?: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const origin = `https://${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const client = createHttpClient({ origin, timeouts, tls: { rejectUnauthorized: false } });
  const request = { method: "GET", path: "/readyz", query: "", headers: {} };
  try {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeouts.headers)]);
    const response = await client.handler({ ...request, context: Context.empty, signal: inTime });
    await discardBody(response.body);
    return response.status === 200;
  } catch {
    return false;
  } finally {
    await client.destroy();
  }
}

const timeoutMs = 1_000;

/** The fingerprint of the certificate that a pod serves; undefined if the pod is not reachable. */
export async function certificateOf(
  host: string,
  { port = apiServerPort, signal }: { readonly port?: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  // Not verified: nothing is sent, and the caller compares the fingerprint.
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
