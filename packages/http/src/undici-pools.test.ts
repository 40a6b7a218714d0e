import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createUnixServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { failure, protocols, request, startLoopback, text } from "../test/loopback.ts";
import { onHead, startRawServer } from "../test/raw-server.ts";
import { createHttpClient } from "./http-client.ts";
import type { Handler } from "./message.ts";

const ok: Handler = () => ({ status: 200, headers: {} });

test("a client speaks by a Unix socket", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-http-"));
  const socketPath = join(folder, "socket");
  const server = createUnixServer((socket) =>
    onHead(socket, () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc")),
  );
  await once(server.listen(socketPath), "listening");
  await using client = createHttpClient({ origin: "http://localhost", socketPath });
  assert.equal(await text(await client.handler(request())), "abc");
  server.close();
  rmSync(folder, { recursive: true });
});

for (const protocol of protocols) {
  test(`${protocol}: a client speaks through a proxy`, async () => {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on("connect", ({ url = "", headers }, downstream, head) => {
      asked.push(`${url} ${headers["proxy-authorization"]}`);
      const upstream = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
        downstream.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        upstream.write(head);
        upstream.pipe(downstream).pipe(upstream);
      });
      upstream.on("error", () => {});
      downstream.on("error", () => {});
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const { port } = proxy.address() as AddressInfo;
    const proxyUrl = `http://ann:secret@127.0.0.1:${port}`;
    {
      await using loopback = await startLoopback(protocol, ok, { client: { proxyUrl } });
      assert.equal((await loopback.send()).status, 200);
      const { host } = new URL(loopback.server.url);
      assert.deepEqual(asked, [`${host} Basic ${btoa("ann:secret")}`]);
    }
    proxy.closeAllConnections();
    proxy.close();
  });
}

test("a proxy that refuses is an error of the connection", async () => {
  await using proxy = await startRawServer((socket) =>
    onHead(socket, () => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")),
  );
  await using client = createHttpClient({
    origin: "https://example.invalid",
    proxyUrl: proxy.origin,
  });
  const error = await failure(client.handler(request()));
  assert.deepEqual([error.code, error.stage], ["ConnectFailed", "connect"]);
});
