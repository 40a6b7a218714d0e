import { connect } from "node:tls";
import type { Kubernetes } from "../kubernetes.ts";
import type { Answer } from "./exchange.ts";

/** Where a server neither answers nor closes, the connection is left after this. */
const patienceMs = 10_000;

/** Sends bytes over a connection of their own, as they are, and reads what comes until it is closed. */
export async function sendRaw(
  { server, ca, admin }: Pick<Kubernetes, "server" | "ca" | "admin">,
  bytes: Uint8Array,
): Promise<Answer> {
  const { hostname: host, port } = new URL(server);
  const socket = connect({ host, port: Number(port), ca, cert: admin.certificate, key: admin.key });
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("data", (chunk) => chunks.push(chunk)).on("close", () => resolve());
  // A server that has said enough may break the connection off.
  socket.on("error", () => resolve());
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.write(bytes);
  await promise;
  return readAnswer(Buffer.concat(chunks).toString("latin1"));
}

function readAnswer(text: string): Answer {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, Math.max(end, 0)).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d+)/.exec(statusLine)?.[1] ?? 0);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = end < 0 ? text : text.slice(end + 4);
  const contentType = headers.get("content-type");
  const body = headers.get("transfer-encoding") === "chunked" ? withoutChunks(rest) : rest;
  const isJson = contentType === "application/json" && body !== "";
  return {
    status,
    ...(contentType !== undefined && { contentType }),
    body: isJson ? JSON.parse(Buffer.from(body, "latin1").toString("utf8")) : body,
  };
}

function withoutChunks(text: string): string {
  let [rest, body] = [text, ""];
  for (;;) {
    const end = rest.indexOf("\r\n");
    const length = Number.parseInt(rest.slice(0, Math.max(end, 0)), 16);
    if (!(length > 0)) return body;
    body += rest.slice(end + 2, end + 2 + length);
    rest = rest.slice(end + 4 + length);
  }
}
