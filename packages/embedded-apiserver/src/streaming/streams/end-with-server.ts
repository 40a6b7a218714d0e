import type { Duplex } from "node:stream";

/** Ends a connection that would go on for long when the server stops. */
export function endWithServer(peer: Duplex, draining: AbortSignal): void {
  const end = () => peer.destroy();
  if (draining.aborted) end();
  draining.addEventListener("abort", end, { once: true });
  peer.once("close", () => draining.removeEventListener("abort", end));
}
