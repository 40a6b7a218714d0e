import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Secret, Volume } from "@rookery/api";
import { createClientOver } from "@rookery/client";
import { createTemporaryFolder } from "@rookery/testing";
import { podOf } from "../../test/pod.ts";
import { PodVolumes } from "./pod-volumes.ts";

const client = createClientOver(async () => {
  throw new Error("nobody should be asked");
});
const encoded = (text: string) => Buffer.from(text).toString("base64");

function sourcesOf(secret: () => Secret | undefined) {
  return {
    secret,
    configMap: (_: string, name: string) =>
      name === "settings" ? { data: { color: "blue" } } : undefined,
    place: { podIP: "127.64.0.1", hostIP: "127.0.0.1", allocatable: { cpu: "2" } },
    token: async ({ audience = "api" }) => `token for ${audience}`,
  };
}

async function problemsOf(volume: Volume) {
  await using folder = await createTemporaryFolder("volumes");
  const volumes = new PodVolumes({
    folder: folder.path,
    client,
    sources: sourcesOf(() => undefined),
  });
  return volumes.prepare(podOf({ volumes: [{ name: "v", ...volume }] }));
}

describe("the volumes of a pod", () => {
  it("are folders, and what changes is swapped in one step", async () => {
    await using folder = await createTemporaryFolder("volumes");
    let secret: Secret = { data: { "tls.crt": encoded("one"), "tls.key": encoded("key") } };
    const items = [{ key: "tls.crt", path: "deep/tls.crt", mode: 0o400 }];
    const pod = podOf({ volumes: [{ name: "ca", secret: { secretName: "ca", items } }] });
    const volumes = new PodVolumes({
      folder: folder.path,
      client,
      sources: sourcesOf(() => secret),
    });
    assert.deepEqual(await volumes.prepare(pod), []);
    const at = volumes.folders.get("ca") ?? "";
    const file = join(at, "deep/tls.crt");
    assert.equal(await readFile(file, "utf8"), "one");
    assert.equal((await stat(file)).mode & 0o777, 0o400);
    const before = await readdir(at);
    await volumes.prepare(pod);
    assert.deepEqual(await readdir(at), before, "what is the same is left alone");
    secret = { data: { "tls.crt": encoded("two") } };
    await volumes.prepare(pod);
    assert.equal(await readFile(file, "utf8"), "two");
    assert.deepEqual(
      (await readdir(at)).filter((name) => !name.startsWith("..")),
      ["deep"],
    );
    assert.equal((await readdir(at)).length, 3, "the old version is gone");
  });

  it("are put together from tokens, fields and ConfigMaps", async () => {
    await using folder = await createTemporaryFolder("volumes");
    const sources = [
      { serviceAccountToken: { path: "token", audience: "vault" } },
      { configMap: { name: "settings", items: [{ key: "color", path: "paint" }] } },
      { downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
      { secret: { name: "gone", optional: true } },
    ];
    const pod = podOf({
      volumes: [
        { name: "all", projected: { sources } },
        { name: "scratch", emptyDir: {} },
      ],
    });
    const volumes = new PodVolumes({
      folder: folder.path,
      client,
      sources: sourcesOf(() => undefined),
    });
    assert.deepEqual(await volumes.prepare(pod), []);
    const at = volumes.folders.get("all") ?? "";
    const texts = await Promise.all(
      ["token", "paint", "name"].map((name) => readFile(join(at, name), "utf8")),
    );
    assert.deepEqual(texts, ["token for vault", "blue", "web-0"]);
    assert.deepEqual(await readdir(volumes.folders.get("scratch") ?? ""), []);
  });

  it("say in a kubelet's words what is missing", async () => {
    const messages = await Promise.all(
      [
        { configMap: { name: "gone" } },
        { configMap: { name: "settings", items: [{ key: "size", path: "size" }] } },
        { secret: { secretName: "gone" } },
        { nfs: { server: "x", path: "/" } },
      ].map(async (volume) => (await problemsOf(volume))[0]?.message),
    );
    assert.deepEqual(messages, [
      'configmap "gone" not found',
      "configmap references non-existent config key: size",
      'secret "gone" not found',
      "this node has no volumes of type nfs",
    ]);
  });

  it("refuse paths that an API server should not have let pass", async () => {
    const message = async (path: string) => {
      const configMap = { name: "settings", items: [{ key: "color", path }] };
      return (await problemsOf({ configMap }))[0]?.message;
    };
    assert.equal(await message("a/../../b"), "invalid path: must not contain '..': a/../../b");
    assert.equal(await message("/etc/x"), "invalid path: must be relative path: /etc/x");
    assert.equal(await message("..data"), "invalid path: must not start with '..': ..data");
    assert.equal(await message(""), 'invalid path: must not be empty: ""');
    const item = { path: "../x", fieldRef: { fieldPath: "metadata.name" } };
    const problems = await problemsOf({ downwardAPI: { items: [item] } });
    assert.equal(problems[0]?.message, "invalid path: must not contain '..': ../x");
  });

  it("check what a hostPath should be", async () => {
    await using folder = await createTemporaryFolder("volumes");
    const file = join(folder.path, "file");
    await writeFile(file, "");
    await mkdir(join(folder.path, "folder"));
    const problem = async (path: string, type: string) =>
      (await problemsOf({ hostPath: { path, type } }))[0]?.message;
    assert.equal(
      await problem(file, "Directory"),
      `hostPath type check failed: ${file} is not a directory`,
    );
    assert.equal(await problem(file, "File"), undefined);
    assert.equal(await problem(join(folder.path, "new"), "DirectoryOrCreate"), undefined);
    const gone = join(folder.path, "gone");
    assert.equal(
      await problem(gone, "Socket"),
      `hostPath type check failed: ${gone} is not a socket file`,
    );
  });
});
