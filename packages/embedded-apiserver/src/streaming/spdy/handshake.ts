import type { Duplex } from "node:stream";
import type { ConnectRequest } from "@rookery/apiserver";
import { writeHttpError } from "@rookery/apiserver";
import { type HttpRequest, type HttpResponse, headerValue } from "@rookery/http";
import { endWithServer } from "../streams/peer-writer.ts";

const versionHeader = "x-stream-protocol-version";

/** Upgrades to SPDY with the client's first supported protocol. Errors are the kubelet's. */
export function acceptSpdy(
  { http: { headers }, draining }: ConnectRequest,
  protocols: readonly string[],
  use: (peer: Duplex, protocol: string) => void,
): HttpResponse {
  const upgrade = headerValue(headers, "upgrade")?.toLowerCase() ?? "";
  if (!upgrade.includes("spdy/3.1")) {
    return writeHttpError(400, "unable to upgrade: missing upgrade headers in request");
  }
  const lines = [headers[versionHeader] ?? []].flat();
  const offered = lines.flatMap((line) => line.split(",")).map((each) => each.trim());
  if (offered.length === 0) {
    return writeHttpError(400, "unable to upgrade: X-Stream-Protocol-Version is required");
  }
  const protocol = offered.find((each) => protocols.includes(each));
  if (protocol === undefined) {
    const why = `client supports [${offered.join(" ")}], server accepts [${protocols.join(" ")}]`;
    const accepted = { "x-accepted-stream-protocol-versions": protocols };
    return writeHttpError(403, `unable to upgrade: unable to negotiate protocol: ${why}`, accepted);
  }
  return {
    status: 101,
    headers: { upgrade: "SPDY/3.1", [versionHeader]: protocol },
    upgrade: (peer) => {
      endWithServer(peer, draining);
      use(peer, protocol);
    },
  };
}

export function isUpgradeRequest({ headers }: HttpRequest): boolean {
  return headerValue(headers, "upgrade") !== undefined;
}
