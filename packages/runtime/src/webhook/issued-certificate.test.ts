import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  alreadyExistsError,
  conflictError,
  notFoundError,
  serviceUnavailableError,
} from "@rookery/kube";
import { type CertificateAndKey, parseCertificate, verifyCertificate } from "@rookery/pki";
import { FakeClock, waitFor } from "@rookery/testing";
import type { Secret, SecretClient } from "./certificate-secret.ts";
import { createIssuedCertificate, issuedSecretLabels } from "./issued-certificate.ts";

const key = { namespace: "system", name: "webhook-certificate" };
const resource = { group: "", resource: "secrets" };
const hour = 3_600_000;

/** A Secret, a bundle that clients read, and replicas that serve. */
class World implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly stop = new AbortController();
  readonly bundles: string[] = [];
  /** Until they resolve, a replica cannot publish. */
  readonly gates = new Map<string, Promise<void>>();
  readonly leaves = new Map<string, CertificateAndKey[]>();
  /** Replicas that have looked at the Secret and are not done with what they found. */
  readonly #busy = new Set<string>();
  leafLifetimeSeconds = 3 * 3600;
  secret: Secret | undefined;
  bundle = "";
  refusals = 0;
  down = false;
  #version = 0;
  readonly #running: Promise<void>[] = [];

  get now(): Date {
    return new Date(Date.UTC(2030, 0, 1) + this.clock.now());
  }

  start(name: string): void {
    const leaves: CertificateAndKey[] = [];
    this.leaves.set(name, leaves);
    const source = createIssuedCertificate({
      secrets: this.#secrets(name),
      secret: key,
      publish: async (bundle) => {
        await this.gates.get(name);
        this.#publish(bundle);
      },
      commonName: "webhook",
      dnsNames: ["webhook.system.svc"],
      authorityLifetimeSeconds: 9 * 3600,
      leafLifetimeSeconds: this.leafLifetimeSeconds,
      settleSeconds: 60,
      resyncMs: 300_000,
      clock: {
        now: () => this.clock.now(),
        setTimer: (callback, milliseconds) => {
          this.#busy.delete(name);
          return this.clock.setTimer(callback, milliseconds);
        },
      },
      now: () => this.now,
    });
    this.#running.push(source.run(this.stop.signal, (leaf) => void leaves.push(leaf)));
  }

  /** Lets time pass in small steps, and not while a thread that knows nothing of it signs. */
  async advance(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 300_000) {
      await this.clock.advance(300_000);
      await this.#idle();
      this.connect();
    }
  }

  /** Until each replica waits for time to pass, or for its gate. */
  async #idle(): Promise<void> {
    const isIdle = () => [...this.#busy].every((name) => this.gates.has(name));
    await waitFor(() => this.clock.advance(0).then(isIdle), {
      what: "the replicas",
      timeout: 60_000,
      interval: 1,
    });
  }

  /** Clients that read the bundle must accept what each replica serves. */
  connect(): void {
    for (const leaves of this.leaves.values()) {
      const certificate = leaves.at(-1)?.certificate;
      if (certificate === undefined) continue;
      const { now, bundle: caBundle } = this;
      verifyCertificate({
        certificate,
        caBundle,
        now,
        usage: "server",
        host: "webhook.system.svc",
      });
    }
  }

  served(count: number): Promise<unknown> {
    const all = () => [...this.leaves.values()].every((leaves) => leaves.length >= count);
    return waitFor(() => this.clock.advance(0).then(all), {
      what: `${count} certificates`,
      timeout: 10_000,
      interval: 1,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    await Promise.all(this.#running);
    assert.equal(this.clock.timers, 0);
  }

  #publish(bundle: string): void {
    if (this.down) throw serviceUnavailableError("away");
    if (bundle === this.bundle) return;
    this.bundle = bundle;
    this.bundles.push(bundle);
  }

  #secrets(replica: string): SecretClient {
    return {
      get: async () => {
        this.#busy.add(replica);
        return this.#existing();
      },
      create: async (secret) => {
        if (this.secret) throw this.#refuse(alreadyExistsError(resource, key.name));
        return this.#store(secret);
      },
      update: async (secret) => {
        const { resourceVersion } = this.#existing().metadata;
        const isNewest = secret.metadata.resourceVersion === resourceVersion;
        if (!isNewest) throw this.#refuse(conflictError(resource, key.name, "modified"));
        return this.#store(secret);
      },
    };
  }

  #existing(): Secret {
    if (this.down) throw serviceUnavailableError("away");
    if (!this.secret) throw notFoundError(resource, key.name);
    return this.secret;
  }

  #refuse(error: Error): Error {
    this.refusals += 1;
    return error;
  }

  #store(secret: Secret): Secret {
    this.#version += 1;
    this.secret = {
      ...secret,
      metadata: { ...secret.metadata, resourceVersion: `${this.#version}` },
    };
    return this.secret;
  }
}

describe("a certificate that replicas issue together", () => {
  it("is the same for all that start at once, although each tried to make its own", async () => {
    await using world = new World();
    for (const name of ["a", "b", "c"]) world.start(name);
    await world.served(1);
    world.connect();
    const served = [...world.leaves.values()].map((leaves) => leaves.at(-1)?.certificate);
    assert.equal(new Set(served).size, 1);
    assert.ok(world.refusals >= 2, `${world.refusals} writes were refused`);
    assert.equal(world.secret?.type, "Opaque");
    const stored = Buffer.from(world.secret?.data?.["tls.crt"] ?? "", "base64").toString();
    assert.equal(stored, served[0]);
  });

  it("goes through renewals and new authorities, trusted at every moment", async () => {
    await using world = new World();
    world.start("a");
    world.start("b");
    await world.served(1);
    await world.advance(16 * hour);
    const [a = [], b = []] = [...world.leaves.values()];
    assert.ok(a.length > 5 && b.length > 5, `${a.length} and ${b.length} certificates`);
    const issuers = new Set(
      a.map(({ certificate }) => parseCertificate(certificate).issuer.commonName),
    );
    assert.ok(issuers.size >= 3, `${issuers.size} authorities`);
    assert.ok(world.bundles.length > issuers.size);
  });

  it("is trusted although a slow replica publishes a bundle that is no longer the newest", async () => {
    await using world = new World();
    // It ends with its authority, so that the slow one has nothing else to do.
    world.leafLifetimeSeconds = 9 * 3600;
    world.start("fast");
    world.start("slow");
    await world.served(1);
    const gate = Promise.withResolvers<void>();
    world.gates.set("slow", gate.promise);
    const oldest = world.bundle;
    while (world.bundle === oldest) await world.advance(300_000);
    const newest = world.bundle;
    gate.resolve();
    const isBack = () => world.bundles.lastIndexOf(oldest) > 0 && world.bundle === newest;
    await waitFor(() => world.clock.advance(0).then(isBack), {
      what: "the newest bundle to be back",
      timeout: 10_000,
      interval: 1,
    });
  });

  it("is taken up by a replica that comes later", async () => {
    await using world = new World();
    world.start("a");
    await world.served(1);
    await world.advance(hour);
    world.start("b");
    await world.served(1);
    const [a = [], b = []] = [...world.leaves.values()];
    assert.equal(b.at(-1)?.certificate, a.at(-1)?.certificate);
  });

  it("is in a Secret with a label, also where the Secret is from before there was one", async () => {
    await using world = new World();
    world.start("a");
    await world.served(1);
    assert.deepEqual(world.secret?.metadata.labels, issuedSecretLabels);
    const { labels: _, ...metadata } = world.secret.metadata;
    world.secret = { ...world.secret, metadata: { ...metadata, labels: { mine: "too" } } };
    await world.advance(300_000);
    assert.deepEqual(world.secret.metadata.labels, { mine: "too", ...issuedSecretLabels });
  });

  it("waits for an API that is away, and is there soon after it is back", async () => {
    await using world = new World();
    world.down = true;
    world.start("a");
    await world.clock.advance(100_000);
    assert.equal(world.leaves.get("a")?.length, 0);
    world.down = false;
    await world.clock.advance(60_000);
    await world.served(1);
    world.connect();
  });

  it("is still served while the API is away", async () => {
    await using world = new World();
    world.start("a");
    await world.served(1);
    world.down = true;
    await world.advance(hour);
    assert.equal(world.leaves.get("a")?.length, 1);
  });

  it("brings its bundle back where somebody took it away", async () => {
    await using world = new World();
    world.start("a");
    await world.served(1);
    world.bundle = "";
    await world.clock.advance(300_000);
    world.connect();
    assert.notEqual(world.bundle, "");
  });
});
