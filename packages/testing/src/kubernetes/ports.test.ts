import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { PortInUseError } from "../errors.ts";
import { assertPortIsFree, freePort } from "./ports.ts";

test("a free port can be listened on", async () => {
  await assertPortIsFree(await freePort("127.0.0.1"), "127.0.0.1");
});

test("a port that someone listens on is refused with the way out", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await assert.rejects(
    assertPortIsFree(port, "127.0.0.1"),
    (error) =>
      error instanceof PortInUseError &&
      error.port === port &&
      /could not listen on port \d+: it is in use; end what listens there or leave/.test(
        error.message,
      ),
  );
  server.close();
});
