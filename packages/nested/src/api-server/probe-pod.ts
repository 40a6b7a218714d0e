import { isIPv6 } from "node:net";
import { Context, createHttpClient, discardBody } from "@rookery/http";
import { apiServerPort } from "../names.ts";

/** Short: whoever is not reached is taken at the word of its kubelet, and others wait behind. */
const timeouts = { connect: 1_000, headers: 1_000, body: 1_000 };

/**
 * Asks the API server of a pod what its kubelet asks: whether it is ready. Nothing is told to it, and
 * only the start of others hangs on the answer, so it need not prove who it is. Never rejects.
 */
export async function askPod(
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
