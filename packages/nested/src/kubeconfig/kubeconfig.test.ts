import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isControlledBy } from "@rookery/kube";
import {
  type CertificateAuthority,
  createCertificateAuthority,
  parseCertificate,
} from "@rookery/pki";
import { owner, type PkiFixture, pkiFixture } from "../../test/pki/pki.ts";
import { ControlPlaneError } from "../errors.ts";
import { ensureKubeconfig } from "./ensure-kubeconfig.ts";
import { controllers, issueKubeconfig, people, readKubeconfig } from "./kubeconfig.ts";

const day = 24 * 60 * 60 * 1000;
const server = "https://api.example.dev:6443";

async function setUp() {
  const fixture = pkiFixture();
  const now = fixture.clock.date;
  const authority = await createCertificateAuthority({ commonName: "ca", now });
  return {
    ...fixture,
    authority,
    subject: { cluster: "c", server, authority, account: controllers },
  };
}

async function ensure(
  { scope }: PkiFixture,
  authority: CertificateAuthority,
  to = server,
): Promise<Date> {
  return ensureKubeconfig(scope(), { cluster: "c", server: to, authority, account: controllers });
}

describe("the kubeconfig of a tenant's controllers", () => {
  test("is made as Cluster API makes it, and then left alone", async () => {
    const world = await setUp();
    const until = await ensure(world, world.authority);
    const secret = world.store.secrets.get("c-kubeconfig");
    assert.ok(secret && isControlledBy(secret, owner));
    const text = world.store.text("c-kubeconfig", "value");
    assert.match(text, /current-context: c-admin@c/);
    assert.equal(readKubeconfig(text)?.server, server);
    const days = (until.getTime() - world.clock.date().getTime()) / day;
    assert.ok(days > 182 && days < 183, `${days}`);
    await ensure(world, world.authority);
    assert.deepEqual(world.store.writes, ["c-kubeconfig"]);
  });

  test("is made anew when half of its year is over", async () => {
    const world = await setUp();
    await ensure(world, world.authority);
    await world.clock.advance(182 * day);
    await ensure(world, world.authority);
    assert.equal(world.store.writes.length, 1);
    await world.clock.advance(day);
    await ensure(world, world.authority);
    await ensure(world, world.authority);
    assert.equal(world.store.writes.length, 2);
  });

  test("is made anew when the endpoint or the authority is another", async () => {
    const world = await setUp();
    await ensure(world, world.authority);
    await ensure(world, world.authority, "https://other.example.dev:6443");
    assert.match(world.store.text("c-kubeconfig", "value"), /other\.example\.dev/);
    const next = await createCertificateAuthority({ commonName: "ca", now: world.clock.date });
    await ensure(world, next);
    const content = readKubeconfig(world.store.text("c-kubeconfig", "value"));
    assert.equal(content?.certificateAuthority, next.certificate);
  });

  test("is taken over where it has no owner, and kept where it is right", async () => {
    const world = await setUp();
    const value = await issueKubeconfig(world.subject);
    world.store.supply("c-kubeconfig", { value });
    await ensure(world, world.authority);
    const secret = world.store.secrets.get("c-kubeconfig");
    assert.ok(secret && isControlledBy(secret, owner));
    assert.equal(world.store.text("c-kubeconfig", "value"), value);
  });

  test("is made anew where what was taken over is none", async () => {
    const world = await setUp();
    for (const value of ["", "{", "[]", "clusters: 1", "users: [x]"]) {
      world.store.supply("c-kubeconfig", { value });
      await ensure(world, world.authority);
      assert.equal(readKubeconfig(world.store.text("c-kubeconfig", "value"))?.server, server);
    }
  });

  test("of somebody else is never written to, and refused where it leads elsewhere", async () => {
    const world = await setUp();
    const elsewhere = { ...world.subject, server: "https://elsewhere:1" };
    world.store.supply("c-kubeconfig", { value: await issueKubeconfig(elsewhere) });
    const secret = world.store.secrets.get("c-kubeconfig");
    assert.ok(secret);
    const other = { apiVersion: "v1", kind: "ConfigMap", name: "other", uid: "2" };
    const metadata = { ...secret.metadata, ownerReferences: [other] };
    world.store.secrets.set("c-kubeconfig", { ...secret, metadata });
    await assert.rejects(
      ensure(world, world.authority),
      (error) => error instanceof ControlPlaneError && error.reason === "KubeconfigInvalid",
    );
    await ensure(world, world.authority, "https://elsewhere:1");
    assert.deepEqual(world.store.writes, []);
  });
});

describe("the kubeconfig for people", () => {
  const hour = 60 * 60 * 1000;
  const subjectOf = async (world: Awaited<ReturnType<typeof setUp>>, validity = 24 * hour) => ({
    ...world.subject,
    account: people(validity),
  });
  const certificateIn = ({ store }: PkiFixture) =>
    parseCertificate(readKubeconfig(store.text("c-user-kubeconfig", "value"))?.certificate ?? "");

  test("is for a group of its own, which no rule of Kubernetes makes an administrator", async () => {
    const world = await setUp();
    await ensureKubeconfig(world.scope(), await subjectOf(world));
    const { subject, notAfter } = certificateIn(world);
    assert.deepEqual(subject.organizations, ["nested:cluster-admins"]);
    const hours = (notAfter.getTime() - world.clock.date().getTime()) / hour;
    assert.ok(hours > 23.9 && hours <= 24, `${hours}`);
    assert.match(world.store.text("c-user-kubeconfig", "value"), /current-context: c-user@c/);
  });

  test("is made anew when half of it is over, and when it may be valid for less", async () => {
    const world = await setUp();
    await ensureKubeconfig(world.scope(), await subjectOf(world));
    await world.clock.advance(11 * hour);
    await ensureKubeconfig(world.scope(), await subjectOf(world));
    assert.equal(world.store.writes.length, 1);
    await world.clock.advance(2 * hour);
    await ensureKubeconfig(world.scope(), await subjectOf(world));
    assert.equal(world.store.writes.length, 2);
    await ensureKubeconfig(world.scope(), await subjectOf(world, hour));
    const left = certificateIn(world).notAfter.getTime() - world.clock.date().getTime();
    assert.ok(left <= hour, `${left}`);
  });
});

test("a Secret without an owner that is for no Cluster is neither taken nor overwritten", async () => {
  const world = await setUp();
  world.store.supply("c-kubeconfig", { value: "somebody's own" }, "other");
  await assert.rejects(
    ensure(world, world.authority),
    (error) => error instanceof ControlPlaneError && error.reason === "KubeconfigInvalid",
  );
  assert.equal(world.store.text("c-kubeconfig", "value"), "somebody's own");
});
