import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ProcessEndedError } from "../../src/errors.ts";
import { shareKubernetes } from "../../src/kubernetes/share.ts";
import { startKubernetes } from "../../src/kubernetes/start.ts";
import { createTemporaryFolder } from "../../src/process/temporary-folder.ts";
import { noProgress } from "../../src/progress.ts";

const embedded = { flavour: "embedded", progress: noProgress } as const;

test("the embedded Kubernetes is used as a real one is, and comes back with its data", async () => {
  const kubernetes = await startKubernetes({ ...embedded, audit: "Metadata" });
  const { folder } = kubernetes.description;
  try {
    assert.equal(kubernetes.flavour, "embedded");
    assert.match(kubernetes.version, /^v1\.34\.4\+/);
    const namespace = await kubernetes.createNamespace("nest");
    const jane = await kubernetes.user({ name: "jane" });
    const { status } = await kubernetes.request("GET", "/api/v1/pods", { as: jane });
    assert.equal(status, 403);
    await kubernetes.apiServer.restart({ kill: true });
    assert.match(await kubernetes.kubectl(["get", "namespaces"]), new RegExp(namespace.name));
    assert.ok(existsSync(join(kubernetes.logs, "audit.log")));
  } finally {
    await kubernetes[Symbol.asyncDispose]();
  }
  assert.equal(existsSync(folder), false);
});

test("private ones are embedded where the shared one is", async () => {
  await using folder = await createTemporaryFolder("share");
  await using owner = await startKubernetes({
    env: { ...process.env, ROOKERY_TEST_KUBERNETES: "embedded" },
    private: true,
    progress: noProgress,
  });
  const shared = await shareKubernetes(owner, join(folder.path, "kubernetes.json"));
  const env = { ...process.env, ...shared };
  await using guest = await startKubernetes({ env });
  assert.equal(guest.server, owner.server);
  await using own = await startKubernetes({ env, private: true, progress: noProgress });
  assert.notEqual(own.server, owner.server);
  assert.equal(own.flavour, "embedded");
});

test("an embedded Kubernetes that cannot start has its last words", async () => {
  await assert.rejects(
    startKubernetes({ ...embedded, apiServerArgs: ["--no-such-flag"] }),
    (error) =>
      error instanceof ProcessEndedError && /unknown option '--no-such-flag'/.test(error.log),
  );
});
