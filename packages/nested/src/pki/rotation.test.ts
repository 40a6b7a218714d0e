import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  createCertificateAuthority,
  keyMatchesCertificate,
  parseCertificate,
  splitCertificates,
  verifyCertificate,
} from "@rookery/pki";
import { type PkiFixture, pkiFixture } from "../../test/pki/pki.ts";
import { ensureAuthorities } from "./authorities.ts";
import { ensureLeaves } from "./leaves.ts";
import type { Rotation, Truster } from "./rotation.ts";
import type { PkiScope } from "./scope.ts";
import { authorityHash, type Secret, type SecretChanges } from "./secret.ts";

const hour = 60 * 60 * 1000;

/** A control plane that is initialized, whose only component reads what it is told to read. */
class Scene {
  readonly fixture: PkiFixture = pkiFixture();
  changes: Partial<PkiScope> = { isInitialized: true };
  trusted = "";
  truster: Partial<Truster> = {};

  static async start(changes: Partial<PkiScope> = {}): Promise<Scene> {
    const scene = new Scene();
    scene.changes = { isInitialized: false };
    await scene.look();
    scene.changes = { isInitialized: true, ...changes };
    scene.read();
    return scene;
  }

  get bundle(): string {
    return this.fixture.store.text("c-ca", "tls.crt");
  }

  get certificates(): readonly string[] {
    return splitCertificates(this.bundle);
  }

  /** All pods read what the Secret says. */
  read(): void {
    this.trusted = authorityHash(this.bundle);
  }

  async look(): Promise<Rotation> {
    const truster = { name: "NestedAPIServer api", isForeign: false, ...this.truster };
    const trusters = { ca: [{ ...truster, hash: this.trusted }], etcd: [], proxy: [] };
    const scope = this.fixture.scope({ trusters, ...this.changes });
    const authorities = await ensureAuthorities(scope);
    await ensureLeaves(scope, authorities);
    return authorities.ca.rotation;
  }

  async pass(hours: number): Promise<void> {
    await this.fixture.clock.advance(hours * hour);
  }

  /** What every pod trusts that has read no more than `bundle`. */
  isServedFor(bundle: string): boolean {
    const certificate = this.fixture.store.text("c-apiserver-serving-cert", "tls.crt");
    const now = this.fixture.clock.date();
    try {
      verifyCertificate({ certificate, caBundle: bundle, now, usage: "server" });
      return true;
    } catch {
      return false;
    }
  }
}

describe("an authority that is due", () => {
  test("is replaced in three steps, each once all pods have read the one before", async () => {
    const scene = await Scene.start();
    const [former = ""] = scene.certificates;
    await scene.pass(899);
    assert.equal((await scene.look()).step, "none");
    await scene.pass(2);
    assert.equal((await scene.look()).step, "trust");
    const both = scene.certificates;
    assert.deepEqual([both.length, both[0]], [2, former]);
    assert.ok(scene.isServedFor(former));

    await scene.pass(25);
    const waiting = await scene.look();
    assert.match(waiting.message, /^c-ca: .* until all pods of NestedAPIServer api have read it$/);
    assert.equal(scene.certificates[0], former);
    scene.read();
    assert.equal((await scene.look()).step, "sign");
    assert.deepEqual(scene.certificates, [both[1], former]);
    assert.ok(!scene.isServedFor(former) && scene.isServedFor(both[1] ?? ""));

    scene.read();
    const early = await scene.look();
    assert.match(early.message, /until \d{4}-.*Z at least$/);
    await scene.pass(25);
    assert.equal((await scene.look()).step, "none");
    assert.deepEqual(scene.certificates, [both[1]]);
    const { data = {} } = scene.fixture.store.secrets.get("c-ca") ?? {};
    assert.deepEqual(Object.keys(data).toSorted(), ["tls.crt", "tls.key"]);
    scene.read();
    scene.fixture.store.writes = [];
    await scene.look();
    assert.deepEqual(scene.fixture.store.writes, []);
  });

  test("has at every write a key that signs for what is trusted, wherever a manager dies", async () => {
    const scene = await Scene.start({ rotation: { renewBeforeMs: 100 * hour, overlapMs: 0 } });
    const [former] = scene.certificates;
    await scene.pass(901);
    const { store } = scene.fixture;
    const write = store.write.bind(store);
    let isDying = false;
    store.write = async (secret: Secret, changes: SecretChanges) => {
      const written = await write(secret, changes);
      isDying = !isDying;
      if (isDying) throw new Error("killed");
      return written;
    };
    for (let looks = 0; looks < 100; looks++) {
      await scene.look().catch(({ message }) => assert.equal(message, "killed"));
      const [first = ""] = scene.certificates;
      assert.ok(keyMatchesCertificate(store.text("c-ca", "tls.key"), first));
      scene.read();
    }
    assert.equal(scene.certificates.length, 1);
    assert.notEqual(scene.certificates[0], former);
  });

  test("is replaced when somebody asks for it, and once", async () => {
    const scene = await Scene.start();
    const rotateAfter = new Date(scene.fixture.clock.date().getTime() + hour).toISOString();
    scene.changes = { ...scene.changes, rotation: { renewBeforeMs: 0, overlapMs: 0, rotateAfter } };
    const waiting = await scene.look();
    assert.deepEqual([waiting.step, waiting.until?.toISOString()], ["none", rotateAfter]);
    await scene.pass(1);
    const steps: string[] = [];
    for (let looks = 0; looks < 6; looks++) {
      steps.push((await scene.look()).step);
      scene.read();
    }
    assert.deepEqual(steps, ["trust", "sign", "none", "none", "none", "none"]);
  });

  test("that has expired already is replaced at once", async () => {
    const scene = await Scene.start();
    await scene.pass(1001);
    assert.equal((await scene.look()).step, "sign");
    const { notAfter } = parseCertificate(scene.bundle);
    assert.ok(notAfter > scene.fixture.clock.date());
  });

  const untouched: Record<string, Partial<PkiScope>> = {
    "where the spec says never": { rotation: { renewBeforeMs: 0, overlapMs: 0 } },
    "where nobody uses it yet": { isInitialized: false },
  };
  for (const [name, changes] of Object.entries(untouched)) {
    test(`is left alone ${name}`, async () => {
      const scene = await Scene.start(changes);
      await scene.pass(901);
      assert.equal((await scene.look()).step, "none");
      assert.equal(scene.certificates.length, 1);
    });
  }

  test("is not replaced where a component does not say what its pods trust", async () => {
    const scene = await Scene.start();
    scene.truster = { name: "Foreign api", isForeign: true };
    await scene.pass(901);
    const { step, message } = await scene.look();
    assert.equal(step, "blocked");
    assert.match(message, /Foreign api does not report .* manually/);
    assert.equal(scene.certificates.length, 1);
  });

  test("is left to whoever supplied it, or is about to replace it", async () => {
    const scene = await Scene.start();
    const { fixture } = scene;
    const options = { commonName: "kubernetes", lifetimeSeconds: 3600, now: fixture.clock.date };
    const other = await createCertificateAuthority(options);
    fixture.store.spoil("c-ca", { "tls.crt": `${scene.bundle}${other.certificate}` });
    await scene.pass(901);
    const added = await scene.look();
    assert.equal(added.step, "blocked");
    assert.match(added.message, /tls\.crt has 2 certificates/);
    const lasting = await createCertificateAuthority({ ...options, now: fixture.clock.date });
    fixture.store.supply("c-ca", { "tls.crt": lasting.certificate, "tls.key": lasting.key });
    await scene.pass(0.9);
    const supplied = await scene.look();
    assert.equal(supplied.step, "blocked");
    assert.match(supplied.message, /c-ca is due to be replaced .* it was supplied/);
  });
});
