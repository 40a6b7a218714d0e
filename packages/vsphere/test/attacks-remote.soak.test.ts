import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  clusterApiSource,
  createTemporaryFolder,
  type HostileAnswer,
  type HostileServer,
  startHostileServer,
  startSilentServer,
  whyUnavailable,
} from "@rookery/testing";
import { accountKubeconfig, systemNamespace } from "./installation.ts";
import { RemoteWorld } from "./remote-world.ts";
import { RunningManager } from "./running-manager.ts";
import { simulatorUnavailable } from "./vcsim.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));

const mostTimes = 20;
const mebibyte = 1024 * 1024;

/** A fault in the words of an attacker. */
function fault(text: string): (socket: Socket) => void {
  const detail = "<detail><NotSupportedFault/></detail>";
  const body = Buffer.from(
    `<e:Envelope xmlns:e="urn:e"><e:Body><Fault><faultstring>${text}</faultstring>${detail}</Fault></e:Body></e:Envelope>`,
  );
  return (socket) => {
    socket.write(`HTTP/1.1 500 Oops\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.write(body);
  };
}

describe("a tenant who chooses what the vCenter of their clusters answers", { skip }, () => {
  let world: RemoteWorld;
  let alone: number;
  let made = 0;
  before(async () => {
    world = await RemoteWorld.start();
    await world.honestTime(1);
    alone = await world.honestTime();
  });
  after(() => world[Symbol.asyncDispose]());

  const attack = async (server: Pick<HostileServer, "server" | "thumbprint">, count = 40) => {
    made += 1;
    const namespace = `attack-${made}`;
    await world.makeClusters(namespace, server, count);
    return namespace;
  };
  const assertHonest = async () => {
    const ratio = (await world.honestTime()) / alone;
    assert.ok(ratio < mostTimes, `an honest cluster took ${ratio.toFixed(1)} times as long`);
  };
  const messageOf = async (namespace: string, reason: string) => {
    const { status } = await world.people.clusterIs(namespace, "c0", reason);
    return status?.conditions?.find(({ type }) => type === "Ready")?.message ?? "";
  };

  const holding: Record<string, HostileAnswer> = {
    "drips its answers holds all workers with forty clusters": "drips its answer",
    "drips its headers holds all workers with forty clusters": "drips its headers",
    "never answers holds all workers with forty clusters": "never answers",
  };
  for (const [name, answer] of Object.entries(holding)) {
    it(`a server that ${name}`, async () => {
      await using server = await startHostileServer(answer);
      const namespace = await attack(server);
      await world.holdsAllItMay(server);
      await assertHonest();
      await messageOf(namespace, "VCenterUnreachable");
    });
  }

  it("a server that never finishes TLS holds all workers with forty clusters", async () => {
    await using server = await startSilentServer();
    const namespace = await attack(server);
    await world.holdsAllItMay(server);
    await assertHonest();
    await messageOf(namespace, "VCenterUnreachable");
  });

  const costly: readonly HostileAnswer[] = [
    "sends headers without end",
    "declares 240 MB",
    "sends 240 MB in chunks",
    "sends 240 MB packed",
    "answers with a document of a million levels",
    "answers with a million elements",
    "redirects to itself",
  ];
  for (const answer of costly) {
    it(`a server that ${answer} keeps the process busy for honest clusters`, async () => {
      await using server = await startHostileServer(answer);
      const namespace = await attack(server, 10);
      await assertHonest();
      assert.ok((await messageOf(namespace, "VCenterUnreachable")).length < 1000);
    });
  }

  it("a server speaks to the terminal of whoever reads the condition, with a megabyte", async () => {
    const text = `&#27;[2J&#10;${"x".repeat(mebibyte)}`;
    await using server = await startHostileServer(fault(text));
    const namespace = await attack(server, 1);
    const message = await messageOf(namespace, "VCenterUnreachable");
    assert.doesNotMatch(message, /u001b|xxx/);
    assert.ok(message.length < 500, `the message has ${message.length} characters`);
    await assertHonest();
  });

  it("clusters with a wrong thumbprint open the circuit of an honest server", async () => {
    const thumbprint = "AB".repeat(20);
    const namespace = await attack({ server: world.honest.server, thumbprint });
    await messageOf(namespace, "ThumbprintMismatch");
    await assertHonest();
  });

  it("clusters with wrong passwords open the circuit of an honest server", async () => {
    const namespace = await attack(world.honest);
    await messageOf(namespace, "InvalidCredentials");
    await assertHonest();
  });

  it("the memory of the process grows with answers of 240 MB", async () => {
    await using folder = await createTemporaryFolder("remote-memory");
    const kubeconfig = await accountKubeconfig(world.kubernetes);
    const log = join(folder.path, "log");
    const namespaces = ["memory-a", "memory-b"];
    for (const namespace of namespaces) await world.people.makeNamespace(namespace);
    const args = [
      "--tenant-network=127.0.0.0/8:*",
      ...namespaces.map((namespace) => `--namespace=${namespace}`),
    ];
    const options = { kubeconfig, namespace: systemNamespace, log, args };
    await using manager = await RunningManager.start(options);
    const before = await manager.peakMemory();
    await using declared = await startHostileServer("declares 240 MB");
    await using chunked = await startHostileServer("sends 240 MB in chunks");
    await world.addClusters("memory-a", declared, 5);
    await world.addClusters("memory-b", chunked, 5);
    for (const namespace of namespaces) await messageOf(namespace, "VCenterUnreachable");
    const grown = (await manager.peakMemory()) - before;
    assert.ok(grown < 200 * mebibyte, `it grew by ${Math.round(grown / mebibyte)} MiB`);
  });
});
