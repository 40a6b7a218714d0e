import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Cut, RotationWorld } from "../../test/rotation/rotation-world.ts";
import { parseCertificate, splitCertificates } from "../certificate-info.ts";
import { createServingCertificate } from "./serving-certificate.ts";

const cuts: fc.Arbitrary<Cut> = fc.record({
  call: fc.nat(5),
  moment: fc.constantFrom("before", "after"),
  kills: fc.boolean(),
});

describe("a serving certificate that rotates", () => {
  test("is published before it is served", async () => {
    const world = new RotationWorld();
    const next = await world.reconcile();
    assert.deepEqual(world.events, ["save", "publish", "save", "serve"]);
    assert.ok(next && next > world.now);
    world.connect();
  });

  test("does nothing but confirm its bundle while nothing is due", async () => {
    const world = new RotationWorld();
    await world.reconcile();
    const [leaf, secret] = [world.inService, world.secret];
    world.events.length = 0;
    await world.reconcile();
    assert.deepEqual(world.events, ["publish"]);
    assert.equal(world.inService, leaf);
    assert.equal(world.secret, secret);
  });

  test("renews the leaf before it expires and keeps the authority", async () => {
    const world = new RotationWorld();
    const due = await world.reconcile();
    const [bundle, leaf] = [world.lastBundle, world.inService];
    assert.ok(leaf && due && due < parseCertificate(leaf.certificate).notAfter);
    world.time = due.getTime();
    await world.reconcile();
    assert.notEqual(world.inService, leaf);
    assert.equal(world.lastBundle, bundle);
  });

  test("renews the leaf as long before its end as it is told to", async () => {
    const world = new RotationWorld();
    world.leafRenewBeforeSeconds = 600;
    const due = await world.reconcile();
    const leaf = world.inService;
    const { notAfter } = parseCertificate(leaf?.certificate ?? "");
    assert.equal(due?.getTime(), notAfter.getTime() - 600_000);
    world.time = notAfter.getTime() - 600_000;
    await world.reconcile();
    assert.notEqual(world.inService, leaf);
  });

  test("publishes a new authority a while before a leaf of it is served", async () => {
    const world = await atAuthorityRenewal();
    const leaf = world.inService;
    assert.equal(splitCertificates(world.lastBundle).length, 2);
    await world.reconcile();
    assert.equal(world.inService, leaf, "clients may not know the new authority yet");
    world.advance(world.settleSeconds);
    await world.reconcile();
    assert.notEqual(world.inService, leaf);
    assert.equal(splitCertificates(world.lastBundle).length, 2, "the old leaf is still trusted");
  });

  test("forgets an authority once it has expired", async () => {
    const world = await atAuthorityRenewal();
    const [old = ""] = splitCertificates(world.lastBundle);
    const { notAfter } = parseCertificate(old);
    while (world.now <= notAfter) {
      world.advance(600);
      await world.reconcile();
    }
    assert.ok(!world.lastBundle.includes(old));
  });

  test("gets a new leaf when its names change", async () => {
    const world = new RotationWorld();
    await world.reconcile();
    world.kill();
    world.dnsNames = ["other.system.svc"];
    await world.reconcile();
    assert.deepEqual(parseCertificate(world.inService?.certificate ?? "").dnsNames, [
      "other.system.svc",
    ]);
  });

  test("comes back with the same authority when its Secret is deleted under it", async () => {
    const world = new RotationWorld();
    await world.reconcile();
    const bundle = world.lastBundle;
    world.secret = undefined;
    await world.reconcile();
    assert.ok(world.secret);
    assert.equal(world.lastBundle, bundle);
  });

  test("recovers at once when everything has expired while it was away", async () => {
    const world = new RotationWorld();
    await world.reconcile();
    world.kill();
    world.advance(365 * 24 * 3600);
    await world.reconcile();
    const { notAfter } = parseCertificate(world.inService?.certificate ?? "");
    assert.ok(notAfter > world.now);
    world.connect();
  });

  test("says at once that it can't be: without a name, or too short to be renewed", () => {
    const port = async () => undefined;
    const ports = { load: port, save: port, publish: port, serve: port };
    assert.throws(() => createServingCertificate({ commonName: "webhook", ...ports }), {
      code: "InvalidName",
    });
    const names = { commonName: "webhook", dnsNames: ["webhook"], ...ports };
    assert.throws(() => createServingCertificate({ ...names, leafLifetimeSeconds: 60 }), {
      code: "InvalidLifetime",
      message: /leafLifetimeSeconds is 60, less than 600/,
    });
    const renewedAtOnce = { leafLifetimeSeconds: 3600, leafRenewBeforeSeconds: 3599 };
    assert.throws(() => createServingCertificate({ ...names, ...renewedAtOnce }), {
      code: "InvalidLifetime",
      message: /leafRenewBeforeSeconds is 3599, which leaves less than 600/,
    });
  });

  test("is accepted by clients with the last bundle, whatever is cut off, lost or late", async () => {
    const action = fc.record({
      seconds: fc.oneof(fc.nat(120), fc.nat(7200), fc.nat(72 * 3600)),
      cut: fc.option(cuts, { nil: undefined }),
      losesSecret: fc.nat(9).map((roll) => roll === 0),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 20 }), async (actions) => {
        const world = new RotationWorld();
        for (const { seconds, cut, losesSecret } of actions) {
          world.advance(seconds);
          if (losesSecret) world.secret = undefined;
          await world.reconcile(cut);
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  test("is never expired, nor refused where clients or servers lag behind, through many rotations", async () => {
    const action = fc.record({
      seconds: fc.oneof(fc.nat(90), fc.nat(1800)),
      cut: fc.option(cuts, { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 30, maxLength: 50 }), async (actions) => {
        const world = new RotationWorld();
        await world.reconcile();
        for (const { seconds, cut } of actions) {
          world.advance(seconds);
          world.connectLate();
          if (cut) await world.reconcile(cut);
          await world.reconcile();
          world.connectLate();
          assert.ok(parseCertificate(world.inService?.certificate ?? "").notAfter > world.now);
        }
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});

async function atAuthorityRenewal(): Promise<RotationWorld> {
  const world = new RotationWorld();
  for (let due = await world.reconcile(); due && world.published.length < 2; ) {
    world.time = due.getTime();
    due = await world.reconcile();
  }
  return world;
}
