import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer as createPlainServer } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { createCertificateAuthority, parseCertificate } from "@rookery/pki";

/** A server on this machine that answers every request in a way that no honest one does. */
export interface HostileServer extends AsyncDisposable {
  /** Host and port. */
  readonly server: string;
  /** Of its certificate. */
  readonly ca: string;
  readonly thumbprint: string;
  /** How many requests and handshakes have begun. */
  readonly count: number;
}

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/xml\r\n";
const piece = Buffer.alloc(64 * 1024, "x");
const longLength = 240_000_000;

function repeat(socket: Socket, content: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(content), everyMs);
  socket.once("close", () => clearInterval(timer));
}

/** As much as the other side takes, up to a length. */
function flood(socket: Socket, content: Uint8Array, length: number): void {
  let left = length;
  const write = () => {
    while (left > 0 && !socket.destroyed) {
      left -= content.length;
      if (!socket.write(content)) return;
    }
  };
  socket.on("drain", write);
  write();
}

function chunk(content: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`${content.length.toString(16)}\r\n`),
    content,
    Buffer.from("\r\n"),
  ]);
}

/** Created once, before the first request. */
let bomb: Buffer | undefined;

function packed(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(longLength));
  return bomb;
}

/** The answer of such a server to a request. */
export const hostileAnswers = {
  "never answers": () => {},
  "drips its answer": (socket: Socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    repeat(socket, "1\r\n \r\n", 200);
  },
  "drips its headers": (socket: Socket) => {
    socket.write(head);
    repeat(socket, "a: b\r\n", 200);
  },
  "sends headers without end": (socket: Socket) => {
    socket.write(head);
    flood(socket, Buffer.from(`a: ${"x".repeat(1000)}\r\n`), longLength);
  },
  "declares 240 MB": (socket: Socket) => {
    socket.write(`${head}content-length: ${longLength}\r\n\r\n`);
    flood(socket, piece, longLength);
  },
  "sends 240 MB in chunks": (socket: Socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    flood(socket, chunk(piece), longLength);
  },
  "sends 240 MB packed": (socket: Socket) => {
    const content = packed();
    socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${content.length}\r\n\r\n`);
    socket.write(content);
  },
  "redirects to itself": (socket: Socket) => {
    socket.write("HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n");
  },
  "answers with a document of a million levels": (socket: Socket) => {
    const document = Buffer.from("<a>".repeat(1_000_000));
    socket.write(`${head}content-length: ${document.length}\r\n\r\n`);
    socket.write(document);
  },
  "answers with a million elements": (socket: Socket) => {
    const document = Buffer.from(`<a>${"<b/>".repeat(1_000_000)}</a>`);
    socket.write(`${head}content-length: ${document.length}\r\n\r\n`);
    socket.write(document);
  },
  "answers with JSON of a million levels": (socket: Socket) => {
    const document = Buffer.from("[".repeat(1_000_000));
    socket.write(`${head}content-length: ${document.length}\r\n\r\n`);
    socket.write(document);
  },
} satisfies Record<string, (socket: Socket) => void>;

export type HostileAnswer = keyof typeof hostileAnswers;

/** Starts a server that speaks TLS with a certificate of its own, and answers that way. */
export async function startHostileServer(
  answer: HostileAnswer | ((socket: Socket) => void),
): Promise<HostileServer> {
  const authority = await createCertificateAuthority({ commonName: "hostile" });
  const { certificate, key } = await authority.issue({
    commonName: "hostile",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  if (answer === "sends 240 MB packed") packed();
  const act = typeof answer === "string" ? hostileAnswers[answer] : answer;
  const sockets = new Sockets();
  const server = createServer({ cert: certificate, key }, (socket: TLSSocket) => {
    sockets.add(socket);
    onRequest(socket, () => {
      sockets.count += 1;
      act(socket);
    });
  }).on("tlsClientError", () => {});
  return listening(server, sockets, {
    ca: authority.certificate,
    thumbprint: parseCertificate(certificate).fingerprints.sha1,
  });
}

/** Starts a server that takes connections and says nothing, not even to begin TLS. */
export async function startSilentServer(): Promise<HostileServer> {
  const sockets = new Sockets();
  const server = createPlainServer((socket) => {
    sockets.count += 1;
    sockets.add(socket.resume());
  });
  return listening(server, sockets, { ca: "", thumbprint: "AB".repeat(20) });
}

class Sockets {
  readonly #all = new Set<Socket>();
  count = 0;

  add(socket: Socket): void {
    this.#all.add(socket.on("error", () => {}).once("close", () => this.#all.delete(socket)));
  }

  destroy(): void {
    for (const socket of this.#all) socket.destroy();
  }
}

async function listening(
  server: ReturnType<typeof createPlainServer>,
  sockets: Sockets,
  trust: Pick<HostileServer, "ca" | "thumbprint">,
): Promise<HostileServer> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ...trust,
    server: `127.0.0.1:${port}`,
    get count() {
      return sockets.count;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      sockets.destroy();
    },
  };
}

/** Calls back when the head of a request has come, and what it says follows it. */
function onRequest(socket: Socket, act: () => void): void {
  let received = "";
  socket.on("data", (data) => {
    received += data.toString("latin1");
    const end = received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < end + 4 + length) return;
    received = received.slice(end + 4 + length);
    act();
  });
}
