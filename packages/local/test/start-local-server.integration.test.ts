import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createClient, loadConfig } from "@rookery/client";
import { createTemporaryFolder } from "@rookery/testing";
import { type LocalServer, startLocalServer } from "../src/start-local-server.ts";

const configMaps = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  singular: "configmap",
  namespaced: true,
};
const nest = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "nest", namespace: "default" },
};

describe("startLocalServer", () => {
  it("serves an administrator with a certificate, and a second start finds all data", async () => {
    await using folder = await createTemporaryFolder("local");
    let created: unknown;
    {
      await using first = await startLocalServer({ data: folder.path, port: 0 });
      created = await withClient(first, (client) => client.resource(configMaps).create(nest));
      await first.stop();
    }
    await using second = await startLocalServer({ data: folder.path, port: 0 });
    const found = await withClient(second, (client) =>
      client.resource(configMaps).get(nest.metadata),
    );
    assert.deepEqual(found, created);
    const { status } = await withClient(second, (client) => client.raw({ path: "/readyz" }));
    assert.equal(status, 200);
  });

  it("keeps all of its files to their owner, whatever they are made with or were before", async () => {
    await using folder = await createTemporaryFolder("local");
    const data = join(folder.path, "data");
    const auditLogPath = join(data, "audit.log");
    mkdirSync(data);
    for (const name of [".", "audit.log", "kubeconfig"]) {
      if (name !== ".") writeFileSync(join(data, name), "");
      chmodSync(join(data, name), 0o777);
    }
    const before = process.umask(0);
    try {
      await using server = await startLocalServer({ data, port: 0, auditLogPath });
      await withClient(server, (client) => client.resource(configMaps).create(nest));
      const open = readdirSync(data, { recursive: true, encoding: "utf8" }).filter(
        (name) => (statSync(join(data, name)).mode & 0o077) !== 0,
      );
      assert.deepEqual(open, []);
    } finally {
      process.umask(before);
    }
  });

  it("refuses a folder that another one has, and says who", async () => {
    await using folder = await createTemporaryFolder("local");
    await using _ = await startLocalServer({ data: folder.path, port: 0 });
    await assert.rejects(startLocalServer({ data: folder.path, port: 0 }), {
      message: new RegExp(`: process ${process.pid} uses it; stop it or use another folder$`),
    });
  });

  it("refuses a port that is taken, and leaves the folder to others", async () => {
    await using folder = await createTemporaryFolder("local");
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    await assert.rejects(startLocalServer({ data: folder.path, port }), {
      message: /something else listens there; stop it, or choose another port/,
    });
    taken.close();
    await using _ = await startLocalServer({ data: folder.path, port: 0 });
  });

  it("refuses a folder that can't be made", async () => {
    await using folder = await createTemporaryFolder("local");
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    await assert.rejects(startLocalServer({ data: join(file, "data"), port: 0 }), {
      code: "StoreUnusable",
    });
  });
});

async function withClient<T>(
  server: LocalServer,
  ask: (client: ReturnType<typeof createClient>) => Promise<T>,
): Promise<T> {
  const client = createClient(await loadConfig({ path: server.kubeconfig ?? "" }));
  try {
    return await ask(client);
  } finally {
    await client.close();
  }
}
