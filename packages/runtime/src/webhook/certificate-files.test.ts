import assert from "node:assert/strict";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type CertificateAndKey, createCertificateAuthority } from "@rookery/pki";
import { createTemporaryFolder, FakeClock, waitFor } from "@rookery/testing";
import { createRecordingLogger } from "../../test/logging/recording-logger.ts";
import { type CertificateFilesOptions, createCertificateFiles } from "./certificate-files.ts";

let first: CertificateAndKey;
let second: CertificateAndKey;

before(async () => {
  const authority = await createCertificateAuthority({ commonName: "ca" });
  const issue = () =>
    authority.issue({ commonName: "webhook", dnsNames: ["webhook.svc"], usages: ["server"] });
  [first, second] = await Promise.all([issue(), issue()]);
});

/** Two files that a test writes, and what is served of them. */
class World {
  readonly clock = new FakeClock();
  readonly logger = createRecordingLogger();
  readonly stop = new AbortController();
  readonly files = new Map<string, string>();
  readonly served: CertificateAndKey[] = [];
  reads = 0;
  errors = 0;
  changed = () => {};
  ended: Promise<void> | undefined;

  start(options: Partial<CertificateFilesOptions> = {}): void {
    const source = createCertificateFiles({
      folder: "/certs",
      clock: this.clock,
      logger: this.logger,
      metrics: { read: () => void this.reads++, readError: () => void this.errors++ },
      files: {
        read: async (path) => this.files.get(path) ?? assert.fail(`ENOENT: ${path}`),
        watch: (_, onChange) => {
          this.changed = onChange;
          return { [Symbol.dispose]() {} };
        },
      },
      ...options,
    });
    this.ended = source.run(this.stop.signal, (pair) => void this.served.push(pair));
  }

  write({ certificate, key }: Partial<CertificateAndKey>): void {
    if (certificate !== undefined) this.files.set("/certs/tls.crt", certificate);
    if (key !== undefined) this.files.set("/certs/tls.key", key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    await this.ended;
    assert.equal(this.clock.timers, 0);
  }
}

describe("a certificate in files", () => {
  it("is served, and served again only when it is another one", async () => {
    await using world = new World();
    world.write(first);
    world.start();
    await world.clock.advance(60_000);
    assert.deepEqual(world.served, [first]);
    assert.equal(world.reads, 7);
    world.write(second);
    await world.clock.advance(10_000);
    assert.deepEqual(world.served, [first, second]);
  });

  it("is read at once when something is heard of a change", async () => {
    await using world = new World();
    world.write(first);
    world.start();
    await world.clock.advance(1_000);
    world.write(second);
    world.changed();
    await world.clock.advance(0);
    assert.deepEqual(world.served, [first, second]);
  });

  it("is not served while it is half written", async () => {
    await using world = new World();
    world.write(first);
    world.start();
    await world.clock.advance(1_000);
    world.write({ certificate: second.certificate });
    world.changed();
    await world.clock.advance(5_000);
    assert.deepEqual(world.served, [first]);
    assert.equal(world.errors, 11);
    const errors = world.logger.lines.filter(({ level }) => level === "error");
    assert.equal(errors.length, 1, "one line for a problem that lasts");
    world.write({ key: second.key });
    await world.clock.advance(500);
    assert.deepEqual(world.served, [first, second]);
  });

  for (const broken of ["", "-----BEGIN CERTIFICATE-----\nMIIB"]) {
    it(`is kept where the file is ${JSON.stringify(broken)} for a while`, async () => {
      await using world = new World();
      world.write(first);
      world.start();
      await world.clock.advance(0);
      world.write({ certificate: broken });
      await world.clock.advance(20_000);
      assert.deepEqual(world.served, [first]);
    });
  }

  it("is waited for where it is not there yet", async () => {
    await using world = new World();
    world.start();
    await world.clock.advance(5_000);
    assert.deepEqual(world.served, []);
    assert.match(String(world.logger.lines[0]?.error), /ENOENT/);
    world.write(first);
    await world.clock.advance(500);
    assert.deepEqual(world.served, [first]);
  });
});

describe("a mounted Secret", () => {
  const stop = new AbortController();
  after(() => stop.abort());

  it("is taken up when kubelet swaps it, without waiting for the next look", async () => {
    await using folder = await createTemporaryFolder("certificates");
    const mount = join(folder.path, "mount");
    const publish = async (name: string, { certificate, key }: CertificateAndKey) => {
      const version = join(mount, name);
      await mkdir(version, { recursive: true });
      await writeFile(join(version, "tls.crt"), certificate);
      await writeFile(join(version, "tls.key"), key);
      await symlink(name, join(mount, "..data_tmp"));
      await rename(join(mount, "..data_tmp"), join(mount, "..data"));
    };
    await publish("..v1", first);
    for (const file of ["tls.crt", "tls.key"]) {
      await symlink(join("..data", file), join(mount, file));
    }
    const served: CertificateAndKey[] = [];
    const source = createCertificateFiles({ folder: mount, pollMs: 3_600_000 });
    const ended = source.run(stop.signal, (pair) => void served.push(pair));
    await waitFor(() => served.length === 1, { what: "the first certificate" });
    await publish("..v2", second);
    await waitFor(() => served.length === 2, { what: "the second certificate" });
    assert.deepEqual(served, [first, second]);
    stop.abort();
    await ended;
  });
});
