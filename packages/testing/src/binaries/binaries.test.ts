import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { processIdentity } from "@rookery/embedded-node";
import { createFakeGo, type FakeGo } from "../../test/binaries/fake-go.ts";
import { runScript } from "../../test/process/script.ts";
import { UnavailableError } from "../errors.ts";
import { waitFor } from "../process/wait-for.ts";
import { noProgress } from "../progress.ts";
import { ensureBinaries } from "./binaries.ts";
import { clusterApiSource } from "./cluster-api.ts";

const etcdPackage = "go.etcd.io/etcd/server/v3";
const kubectlPackage = "k8s.io/kubernetes/cmd/kubectl";

function ensure(go: FakeGo, progress = noProgress) {
  return ensureBinaries(["etcd", "kubectl"], { env: go.env, progress });
}

test("what is missing is built one after another, with progress, and then kept", async () => {
  await using go = await createFakeGo();
  const told: string[] = [];
  const binaries = await ensure(go, (said) => told.push(said.replace(/\d+ s$/, "N s")));
  assert.equal(await readFile(binaries.kubectl, "utf8"), `binary of ${kubectlPackage}\n`);
  assert.deepEqual(told, [
    "building etcd (1 of 2)",
    "building etcd (1 of 2) ended after N s",
    "building kubectl (2 of 2)",
    "building kubectl (2 of 2) ended after N s",
  ]);
  assert.deepEqual(await ensure(go), binaries);
  assert.deepEqual(await go.built(), [etcdPackage, kubectlPackage]);
});

test("a binary that is asked for later joins those that are there", async () => {
  await using go = await createFakeGo();
  await ensure(go);
  await ensureBinaries(["etcd", "kubelet"], { env: go.env, progress: noProgress });
  assert.deepEqual((await go.built()).slice(2), ["k8s.io/kubernetes/cmd/kubelet"]);
});

const damages: Record<string, (binary: string) => Promise<void>> = {
  "was cut off": (binary) => truncate(binary, 5),
  "was changed": (binary) => writeFile(binary, `binary of ${etcdPackage.toUpperCase()}\n`),
  "is not in the manifest": (binary) => {
    return writeFile(join(dirname(binary), "manifest.json"), "{}");
  },
  "has a manifest that was cut off": (binary) => {
    return truncate(join(dirname(binary), "manifest.json"), 10);
  },
};
for (const [sentence, damage] of Object.entries(damages)) {
  test(`a cached binary that ${sentence} is built again`, async () => {
    await using go = await createFakeGo();
    await ensure(go);
    // Found sound once: what is not touched is not read again.
    const { etcd } = await ensure(go);
    const sound = await readFile(etcd, "utf8");
    await damage(etcd);
    await ensure(go);
    assert.equal(await readFile(etcd, "utf8"), sound);
    assert.ok((await go.built()).slice(2).includes(etcdPackage));
  });
}

test("two runs at once build once, and the second says for whom it waits", async () => {
  await using go = await createFakeGo();
  const mayEnd = join(go.folder, "may-end");
  await go.buildBy(`until [ -e ${mayEnd} ]; do /bin/sleep 0.01; done; echo x > "$output"`);
  const { promise: waiting, resolve } = Promise.withResolvers<string>();
  const progress = (sentence: string) => {
    if (sentence.startsWith("waiting for")) resolve(sentence);
  };
  const runs = Promise.all([ensure(go, progress), ensure(go, progress)]);
  assert.match(await waiting, /^waiting for process \d+, which builds the binaries of Kubernetes/);
  await writeFile(mayEnd, "");
  const [first, second] = await runs;
  assert.deepEqual(first, second);
  assert.deepEqual(await go.built(), [etcdPackage, kubectlPackage]);
});

test("an interrupted build leaves no process and no binary, and the next run builds", async () => {
  await using go = await createFakeGo();
  await go.buildBy(`echo half > "$output"; echo $$ > ${go.folder}/pid; /bin/sleep 1000`);
  const script = new URL("../../test/binaries/build.ts", import.meta.url);
  await using run = runScript(script, ["etcd", "kubectl"], go.env);
  const compiler = await waitFor(
    async () => Number(await readFile(join(go.folder, "pid"), "utf8")) || undefined,
    { what: "the build to be under way" },
  );
  run.process.kill("SIGINT");
  await run.ended;
  await waitFor(() => processIdentity(compiler) === undefined, { what: "the build to end" });

  await go.buildBy('echo whole > "$output"');
  const { etcd } = await ensure(go);
  assert.equal(await readFile(etcd, "utf8"), "whole\n");
  assert.deepEqual((await readdir(dirname(etcd))).sort(), ["etcd", "kubectl", "manifest.json"]);
});

test("KUBEBUILDER_ASSETS that holds all that is asked for is taken as it is", async () => {
  await using go = await createFakeGo();
  const assets = await makeAssets(go, ["etcd", "kubectl"]);
  const binaries = await ensure({ ...go, env: { ...go.env, KUBEBUILDER_ASSETS: assets } });
  assert.equal(binaries.etcd, join(assets, "etcd"));
  assert.deepEqual(await go.built(), []);
});

test("KUBEBUILDER_ASSETS that lacks something is passed over, and that is said", async () => {
  await using go = await createFakeGo();
  const assets = await makeAssets(go, ["etcd"]);
  const told: string[] = [];
  const env = { ...go.env, KUBEBUILDER_ASSETS: assets };
  await ensure({ ...go, env }, (sentence) => told.push(sentence));
  assert.equal(told[0], `KUBEBUILDER_ASSETS (${assets}) lacks kubectl; looking further`);
  assert.equal((await go.built()).length, 2);
});

test("an older Kubernetes is built from its own module, beside the other, whatever the assets are", async () => {
  await using go = await createFakeGo();
  const newer = await ensureBinaries(["kube-apiserver"], { env: go.env, progress: noProgress });
  const env = { ...go.env, KUBEBUILDER_ASSETS: await makeAssets(go, ["kube-apiserver"]) };
  const version = "v1.33.13";
  const older = await ensureBinaries(["kube-apiserver"], { env, progress: noProgress, version });
  assert.notEqual(older["kube-apiserver"], newer["kube-apiserver"]);
  assert.match(older["kube-apiserver"], /v1\.33\.13-/);
  assert.equal((await go.built()).length, 2);
});

async function makeAssets(go: FakeGo, names: readonly string[]): Promise<string> {
  const folder = join(go.folder, "assets");
  await mkdir(folder);
  for (const name of names) {
    await writeFile(join(folder, name), "");
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

test("without Go the error says what would help", async () => {
  await using go = await createFakeGo();
  const env = { ...go.env, PATH: join(go.folder, "cache") };
  await assert.rejects(
    ensure({ ...go, env }),
    (error) =>
      error instanceof UnavailableError &&
      error.message ===
        "could not get etcd, kubectl: there is no go on PATH; install Go 1.25 or newer, or set KUBEBUILDER_ASSETS to a folder that holds the binaries",
  );
  await assert.rejects(
    clusterApiSource(env),
    /could not get the source of sigs.k8s.io\/cluster-api: there is no go on PATH; install Go 1.25 or newer/,
  );
});

test("a cache that cannot be written is told with the way out", async () => {
  await using go = await createFakeGo();
  const env = { ...go.env, XDG_CACHE_HOME: join(go.folder, "bin", "go") };
  await assert.rejects(
    ensure({ ...go, env }),
    (error) =>
      error instanceof UnavailableError &&
      /their cache cannot be written: ENOTDIR.*; set XDG_CACHE_HOME to a folder that can/.test(
        error.message,
      ),
  );
});

test("without Go the cache still serves", async () => {
  await using go = await createFakeGo();
  const binaries = await ensure(go);
  const env = { ...go.env, PATH: join(go.folder, "cache") };
  assert.deepEqual(await ensure({ ...go, env }), binaries);
});

const versions: Record<string, boolean> = {
  "go1.25.0": true,
  "go1.26rc1": true,
  "go2.0": true,
  "devel go1.27-abcdef": true,
  "go1.24.9": false,
  "go1.9": false,
};
for (const [version, good] of Object.entries(versions)) {
  test(`${version} is ${good ? "good enough" : "too old"}`, async () => {
    await using go = await createFakeGo(version);
    const outcome = ensure(go);
    if (good) await outcome;
    else await assert.rejects(outcome, new RegExp(`go is ${version}, older than 1.25; install Go`));
  });
}

test("a build that fails is told with what the compiler said last", async () => {
  await using go = await createFakeGo();
  await go.buildBy("echo 'dial tcp: no route to host' >&2; exit 1");
  await assert.rejects(
    ensure(go),
    (error) =>
      error instanceof UnavailableError &&
      error.reason === "go build ended with exit code 1: dial tcp: no route to host",
  );
});
