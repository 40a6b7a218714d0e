import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  clusterApiSource,
  startHostileServer,
  startSilentServer,
  whyUnavailable,
} from "@rookery/testing";
import { RemoteWorld } from "./remote-world.ts";
import { simulatorUnavailable } from "./vcsim.ts";

const skip = (await simulatorUnavailable()) || (await whyUnavailable(clusterApiSource));

/** How much longer an honest cluster may take; it was held up without end before. */
const mostTimes = 20;

describe("a vCenter that a tenant chose", { skip }, () => {
  let world: RemoteWorld;
  let alone: number;
  before(async () => {
    world = await RemoteWorld.start();
    // The first one of a process takes longer.
    await world.honestTime(1);
    alone = await world.honestTime();
  });
  after(() => world[Symbol.asyncDispose]());

  const assertHonest = async () => {
    const together = await world.honestTime();
    const ratio = together / alone;
    assert.ok(ratio < mostTimes, `an honest cluster took ${ratio.toFixed(1)} times as long`);
  };

  it("and that drips holds up its own forty clusters, and no other", async () => {
    await using server = await startHostileServer("drips its answer");
    await world.makeClusters("dripping", server, 40);
    await world.holdsAllItMay(server);
    await assertHonest();
    const { status } = await world.people.clusterIs("dripping", "c0", "VCenterUnreachable");
    assert.equal(status?.ready, false);
  });

  it("and that never begins TLS holds up no other, from several namespaces", async () => {
    await using server = await startSilentServer();
    for (const namespace of ["silent-a", "silent-b", "silent-c"]) {
      await world.makeClusters(namespace, server, 10);
    }
    await world.holdsAllItMay(server);
    await assertHonest();
  });

  it("and that sends 240 MB is said to be unreachable, in words of bounded length", async () => {
    await using server = await startHostileServer("sends 240 MB in chunks");
    await world.makeClusters("long", server, 2);
    const { status } = await world.people.clusterIs("long", "c0", "VCenterUnreachable");
    const [{ message } = assert.fail()] = status?.conditions ?? [];
    assert.match(message, /^could not use .{1,60}: no vCenter .{1,200}$/);
    await assertHonest();
  });
});
