import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type HostileAnswer, startHostileServer, startSilentServer } from "@rookery/testing";
import { probePod } from "../../src/api-server/probe-pod.ts";
import { createEtcdGateway } from "../../src/etcd/gateway.ts";

const answers: readonly HostileAnswer[] = [
  "never answers",
  "drips its answer",
  "drips its headers",
  "sends headers without end",
  "declares 240 MB",
  "sends 240 MB in chunks",
];

const { signal } = new AbortController();

describe("a pod of a tenant", () => {
  for (const answer of answers) {
    it(`that ${answer} as a member of etcd holds a worker`, async () => {
      await using server = await startHostileServer(answer);
      const origin = `https://${server.server}`;
      await using gateway = createEtcdGateway({ origin, tls: { ca: server.ca }, signal });
      await assert.rejects(gateway.members(), { code: "EtcdRequest" });
      assert.equal(await gateway.isHealthy(), false);
    });
  }

  it("that never finishes TLS holds whoever asks whether it is ready", async () => {
    await using server = await startSilentServer();
    const port = Number(server.server.split(":")[1]);
    assert.equal(await probePod("127.0.0.1", { port, signal }), false);
  });
});
