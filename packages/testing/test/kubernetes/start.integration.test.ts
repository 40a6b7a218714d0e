import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ensureBinaries } from "../../src/binaries/binaries.ts";
import { PortInUseError, ProcessEndedError } from "../../src/errors.ts";
import { startControlPlane } from "../../src/kubernetes/control-plane.ts";
import { freePort } from "../../src/kubernetes/ports.ts";
import { shareKubernetes } from "../../src/kubernetes/share.ts";
import { startKubernetes } from "../../src/kubernetes/start.ts";
import type { Kubernetes } from "../../src/kubernetes.ts";
import { findProcesses } from "../../src/process/find-processes.ts";
import { createTemporaryFolder } from "../../src/process/temporary-folder.ts";
import { waitFor } from "../../src/process/wait-for.ts";
import { noProgress } from "../../src/progress.ts";
import { runScript } from "../process/script.ts";

/** The embedded one has tests of its own. */
const own = {
  flavour: "kube-apiserver",
  private: true,
  controllerManager: false,
  progress: noProgress,
} as const;
const configMaps = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
});

test("a Kubernetes that is disposed of leaves no process and no folder", async () => {
  const kubernetes = await startKubernetes({ ...own, audit: "Metadata" });
  const { folder } = kubernetes.description;
  assert.equal(processesWith(folder).length, 2);
  await kubernetes.request("GET", configMaps, { headers: { "user-agent": "nest" } });
  const isAudited = async () =>
    (await readFile(join(kubernetes.logs, "audit.log"), "utf8")).includes('"userAgent":"nest"');
  await waitFor(isAudited, { what: "the request in the audit log" });
  await kubernetes[Symbol.asyncDispose]();
  assert.deepEqual(processesWith(folder), []);
  assert.equal(existsSync(folder), false);
});

describe("an API server that goes away", () => {
  let kubernetes: Kubernetes;
  before(async () => {
    // Its cache remembers nothing from before its start, and would end the watch that goes on.
    kubernetes = await startKubernetes({ ...own, apiServerArgs: ["--watch-cache=false"] });
  });
  after(() => kubernetes[Symbol.asyncDispose]());

  for (const kill of [false, true]) {
    test(`comes back with its data after ${kill ? "a crash" : "a shutdown"}`, async () => {
      const name = `before-${kill}`;
      await kubernetes.request("POST", configMaps, { body: configMap(name) });
      await kubernetes.apiServer.stop({ kill });
      await assert.rejects(kubernetes.request("GET", configMaps), { code: "ConnectionRefused" });

      await kubernetes.apiServer.start();
      const { body } = await kubernetes.request("GET", `${configMaps}/${name}`);
      assert.equal(body.metadata.name, name);
    });
  }

  test("breaks a watch, which goes on from where it was", async () => {
    const { metadata } = (await kubernetes.request("GET", configMaps)).body;
    const from = (version: string) =>
      kubernetes.watch(`${configMaps}?resourceVersion=${version}&allowWatchBookmarks=false`);
    const first = from(metadata.resourceVersion);
    await kubernetes.request("POST", configMaps, { body: configMap("a") });
    const seen = await first.next();
    assert.ok(seen.value);
    assert.equal(seen.value.object.metadata.name, "a");

    await kubernetes.apiServer.stop({ kill: true });
    await first.next().catch(() => {});
    await kubernetes.apiServer.start();
    await kubernetes.request("POST", configMaps, { body: configMap("b") });
    const second = from(seen.value.object.metadata.resourceVersion);
    const next = await second.next();
    assert.ok(next.value);
    assert.equal(next.value.object.metadata.name, "b");
    await second.return();
  });
});

describe("a Kubernetes that is shared", () => {
  test("is joined, and stays when one who joined it leaves", async () => {
    await using folder = await createTemporaryFolder("share");
    await using owner = await startKubernetes(own);
    const env = await shareKubernetes(owner, join(folder.path, "kubernetes.json"));
    const guest = await startKubernetes({ env });
    assert.equal(guest.server, owner.server);
    await assert.rejects(guest.apiServer.restart(), /other tests use it/);
    await guest[Symbol.asyncDispose]();
    assert.equal((await owner.request("GET", "/readyz")).status, 200);
  });

  test("and is not there is told with the way out", async () => {
    const env = { ROOKERY_TEST_KUBERNETES: "/no/such/file" };
    await assert.rejects(
      startKubernetes({ env }),
      /could not join the Kubernetes that ROOKERY_TEST_KUBERNETES names: ENOENT.*; unset it/,
    );
  });
});

describe("a Kubernetes that cannot start", () => {
  test("names the port that is taken", async () => {
    await using taken = await takePort();
    await assert.rejects(
      startKubernetes({ ...own, port: taken.port }),
      (error) => error instanceof PortInUseError && error.port === taken.port,
    );
  });

  test("has the last words of the process that ended, and leaves nothing", async () => {
    await assert.rejects(
      startKubernetes({ ...own, apiServerArgs: ["--no-such-flag"] }),
      (error) =>
        error instanceof ProcessEndedError &&
        error.process === "kube-apiserver" &&
        /unknown flag: --no-such-flag/.test(error.log),
    );
    const ours = join(tmpdir(), `rookery-kubernetes-${process.pid}-`);
    assert.deepEqual([...processesWith(ours), ...foldersLike(ours)], []);
  });

  test("takes other ports when one was taken in the meantime", async () => {
    await using taken = await takePort();
    await using folder = await createTemporaryFolder("race");
    const told: string[] = [];
    let asked = 0;
    await using controlPlane = await startControlPlane({
      binaries: await ensureBinaries(["etcd", "kube-apiserver"]),
      folder: folder.path,
      address: "127.0.0.1",
      progress: (sentence) => told.push(sentence),
      findPort: async (address) => {
        asked += 1;
        return asked === 1 ? taken.port : freePort(address);
      },
    });
    assert.ok(told.includes("a port was taken in the meantime; trying others"));
    assert.equal(controlPlane.server.endsWith(`:${taken.port}`), false);
  });

  async function takePort() {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return {
      port,
      async [Symbol.asyncDispose]() {
        server.close();
      },
    };
  }
});

const interruptions = [
  { signal: "SIGINT", moment: "while the API server starts", line: "waiting for kube-apiserver" },
  { signal: "SIGKILL", moment: "when all of it runs", line: "ready" },
] as const;
for (const { signal, moment, line } of interruptions) {
  test(`nothing is left after ${signal} ${moment}`, async () => {
    await using run = runScript(new URL("./own-kubernetes.ts", import.meta.url));
    while (!(await run.line()).startsWith(line));
    const ours = join(tmpdir(), `rookery-kubernetes-${run.process.pid}-`);
    assert.notEqual(processesWith(ours).length, 0);

    run.process.kill(signal);
    await run.ended;
    const gone = () => processesWith(ours).length === 0 && foldersLike(ours).length === 0;
    await waitFor(gone, { what: "nothing to be left" });
  });
}

function processesWith(text: string): number[] {
  const found = findProcesses((args) => args.some((arg) => arg.includes(text)));
  return found.map(({ pid }) => pid);
}

function foldersLike(prefix: string): string[] {
  return readdirSync(dirname(prefix)).filter((name) => name.startsWith(basename(prefix)));
}
