import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { type Kubernetes, waitFor } from "@rookery/testing";

const maps = "/api/v1/namespaces/default/configmaps";
const mebibyte = 1024 * 1024;

/** Watches that never read: how many over HTTP/2, and how many over sockets of their own. */
export interface WatcherCounts {
  readonly streams: number;
  readonly sockets: number;
}

/** Clients that take their time. What they open is closed when they are disposed of. */
export class SlowClients implements Disposable {
  readonly #kubernetes: Kubernetes;
  readonly #sockets: Socket[] = [];
  readonly #stack = new DisposableStack();

  constructor(kubernetes: Kubernetes) {
    this.#kubernetes = kubernetes;
  }

  /** Who connects, or begins a request, and says no more. */
  sayLittle(): void {
    for (let i = 0; i < 200; i++) this.#keep(connectTcp(this.#address()));
    const head = `POST ${maps} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json`;
    for (const text of [
      "",
      "GET /api HTTP/1.1\r\nhost: a\r\nx: ",
      `${head}\r\ncontent-length: 9\r\n\r\n{`,
    ]) {
      for (let i = 0; i < 20; i++) this.#openTls().write(text);
    }
  }

  /** Who watches and never reads. Tells how many there are still. */
  async watchWithoutReading({ streams, sockets }: WatcherCounts) {
    const left = { streams: 0, sockets: 0 };
    const path = `${maps}?watch=1`;
    for (let i = 0; i < streams; i += streamsOfOne) {
      const session = connectHttp2(this.#kubernetes.server, this.#credentials());
      this.#stack.defer(() => session.on("error", () => {}).destroy());
      const opened = Array.from({ length: Math.min(streamsOfOne, streams - i) }, () => {
        left.streams++;
        const stream = session.request({ ":path": path });
        stream.on("error", () => {}).on("close", () => left.streams--);
        return new Promise((resolve) => stream.once("response", resolve));
      });
      await Promise.all(opened);
    }
    for (let i = 0; i < sockets; i++) {
      left.sockets++;
      const socket = this.#openTls();
      // One who reads just in time sees the end of the answer: that is to be the connection's, too.
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
      await new Promise((resolve) => socket.once("data", resolve));
      socket.pause().once("close", () => left.sockets--);
    }
    return left;
  }

  /** A socket that is not read does not tell that it was closed. */
  readAll(): void {
    for (const socket of this.#sockets) socket.resume();
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#stack.dispose();
  }

  #keep<T extends Socket>(socket: T): T {
    this.#sockets.push(socket.on("error", () => {}));
    return socket;
  }

  #openTls(): Socket {
    return this.#keep(connectTls({ ...this.#address(), ...this.#credentials() }));
  }

  #address() {
    const { hostname: host, port } = new URL(this.#kubernetes.server);
    return { host, port: Number(port) };
  }

  #credentials() {
    const { ca, admin } = this.#kubernetes;
    return { ca, cert: admin.certificate, key: admin.key };
  }
}

const streamsOfOne = 200;

/** What others do meanwhile. */
export async function work(kubernetes: Kubernetes, prefix: string): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const body = { metadata: { name: `${prefix}-${i}` } };
    assert.equal((await kubernetes.request("POST", maps, { body })).status, 201);
    assert.equal((await kubernetes.request("GET", `${maps}/${prefix}-${i}`)).status, 200);
  }
}

/**
 * Writes more than a watcher may lag behind while some never read: they are cut off, the server's
 * memory stays within bounds, and others are served meanwhile.
 */
export async function writeBesideWatchers(
  kubernetes: Kubernetes,
  counts: WatcherCounts,
): Promise<void> {
  const body = { metadata: { name: "large" }, data: { a: "x".repeat(mebibyte / 2) } };
  assert.equal((await kubernetes.request("POST", maps, { body })).status, 201);
  using clients = new SlowClients(kubernetes);
  const left = await clients.watchWithoutReading(counts);
  const told: number[] = [];
  using _ = readAlong(kubernetes, told);
  const before = memoryOf(kubernetes);
  for (let i = 0; i < writes; i++) {
    const patch = { body: { metadata: { labels: { i: String(i) } } } };
    assert.equal((await kubernetes.request("PATCH", `${maps}/large`, patch)).status, 200);
  }
  await work(kubernetes, "beside-watchers");
  // What they were to be told is 40 MiB for each: more than a queue and the buffers of a connection hold.
  const grown = Math.round((memoryOf(kubernetes) - before) / mebibyte);
  const bound = 300 + counts.streams + counts.sockets;
  assert.ok(grown < bound, `the server has grown by ${grown} MiB, more than ${bound}`);
  await waitFor(() => left.streams === 0, { what: "all streams to be cut off", timeout: 60_000 });
  clients.readAll();
  await waitFor(() => left.sockets === 0, { what: "all sockets to be cut off", timeout: 60_000 });
  await waitFor(() => told.includes(writes - 1), { what: "the last change to be told" });
  assert.deepEqual(
    told,
    told.toSorted((a, b) => a - b),
  );
}

const writes = 80;

/** One who reads all of it. */
function readAlong(kubernetes: Kubernetes, told: number[]): Disposable {
  const leave = new AbortController();
  const path = `${maps}?fieldSelector=metadata.name%3Dlarge`;
  const read = async () => {
    for await (const { object } of kubernetes.watch(path, { signal: leave.signal })) {
      if (object.metadata.labels) told.push(Number(object.metadata.labels.i));
    }
  };
  read().catch(() => {});
  return { [Symbol.dispose]: () => leave.abort() };
}

/** In bytes, as Linux tells it of the process that holds the folder. */
function memoryOf({ description }: Kubernetes): number {
  const pid = readFileSync(join(description.folder, "holder"), "utf8").trim();
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}
