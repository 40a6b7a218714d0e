import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { gunzipSync } from "node:zlib";

/** A request as it goes over the wire: nothing tidies it up. */
export interface WireRequest {
  readonly transport: "http1" | "http2";
  readonly method: string;
  /** Path and query, in Latin-1. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

export interface WireAnswer {
  /** 0 where there was none. */
  readonly status: number;
  /** All that came: the head, and the body as it was sent and unpacked. */
  readonly bytes: Buffer;
  /** The body without its framing, unpacked. */
  readonly body: Buffer;
}

export interface WireServer {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** How long an answer that has begun may be silent before it counts as all there is: a watch does not end. */
const quietMs = 150;
const longestMs = 15_000;

export interface Wire extends AsyncDisposable {
  send(request: WireRequest): Promise<WireAnswer>;
}

export function createWire(server: WireServer): Wire {
  let session: ClientHttp2Session | undefined;
  const openSession = () => {
    if (session && !session.closed && !session.destroyed) return session;
    session = connectHttp2(server.url, { ca: server.ca }).on("error", () => {});
    return session;
  };
  return {
    send: (request) =>
      request.transport === "http2"
        ? sendHttp2(openSession(), request, server)
        : sendHttp1(request, server),
    async [Symbol.asyncDispose]() {
      session?.destroy();
    },
  };
}

async function sendHttp1(request: WireRequest, server: WireServer): Promise<WireAnswer> {
  const { hostname, port } = new URL(server.url);
  const socket = connectTls({
    host: hostname,
    port: Number(port),
    ca: server.ca,
    ALPNProtocols: ["http/1.1"],
  });
  const all = collect(socket);
  socket.on("secureConnect", () => socket.write(headOf(request, server)));
  return http1Answer(await all);
}

function headOf({ method, target, headers, body }: WireRequest, { token }: WireServer): Buffer {
  const upgrades = headers.some(([name]) => name === "connection");
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${token}`,
    ...(upgrades ? [] : ["connection: close"]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.concat([
    Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"),
    Buffer.from(body ?? ""),
  ]);
}

/** What a socket sends until it ends, or is silent after it has begun. */
function collect(socket: TLSSocket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(longest);
      clearTimeout(quiet);
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    const longest = setTimeout(finish, longestMs);
    let quiet: NodeJS.Timeout | undefined;
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      quiet = setTimeout(finish, quietMs);
    });
    socket.on("error", finish).on("close", finish);
  });
}

function http1Answer(bytes: Buffer): WireAnswer {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, Math.max(end, 0)).toString("latin1").toLowerCase();
  const status = Number(/^http\/1\.[01] (\d+)/.exec(head)?.[1] ?? 0);
  const sent = bytes.subarray(end + 4);
  const framed = /^transfer-encoding: chunked$/m.test(head) ? withoutChunks(sent) : sent;
  const body = /^content-encoding: gzip$/m.test(head) ? unpacked(framed) : framed;
  return { status, bytes: Buffer.concat([bytes, body]), body };
}

function withoutChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf("\r\n", at);
    const size = line < 0 ? 0 : Number.parseInt(bytes.toString("latin1", at, line), 16);
    if (!size) break;
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: 2 });
  } catch {
    return bytes;
  }
}

async function sendHttp2(
  session: ClientHttp2Session,
  request: WireRequest,
  { token }: WireServer,
): Promise<WireAnswer> {
  if (session.connecting)
    await Promise.race([once(session, "remoteSettings"), once(session, "close")]);
  const { method, target, headers, body } = request;
  const upgrade = headers.find(([name]) => name === "upgrade")?.[1];
  const kept = headers.filter(([name]) => name !== "connection" && name !== "upgrade");
  const chunks: Buffer[] = [];
  let status = 0;
  let packed = false;
  try {
    const stream = session.request(
      {
        ":method": upgrade === undefined ? method : "CONNECT",
        ...(upgrade !== undefined && { ":protocol": upgrade }),
        ":path": target,
        ":scheme": "https",
        ":authority": "localhost",
        authorization: `Bearer ${token}`,
        ...Object.fromEntries(kept),
      },
      { endStream: body === undefined && upgrade === undefined },
    );
    if (body !== undefined) stream.end(body);
    await new Promise<void>((resolve) => {
      let quiet: NodeJS.Timeout | undefined;
      const finish = () => {
        clearTimeout(quiet);
        clearTimeout(longest);
        stream.destroy();
        resolve();
      };
      const longest = setTimeout(finish, longestMs);
      stream.on("response", (answer) => {
        status = Number(answer[":status"]);
        packed = answer["content-encoding"] === "gzip";
        chunks.push(Buffer.from(`${JSON.stringify(answer)}\n`));
        quiet = setTimeout(finish, quietMs);
      });
      stream.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        clearTimeout(quiet);
        quiet = setTimeout(finish, quietMs);
      });
      stream.on("error", finish).on("close", finish).on("end", finish);
    });
  } catch {
    // What the client itself refuses to send.
  }
  const sent = Buffer.concat(chunks.slice(1));
  const plain = packed ? unpacked(sent) : sent;
  return { status, bytes: Buffer.concat([...chunks, plain]), body: plain };
}
