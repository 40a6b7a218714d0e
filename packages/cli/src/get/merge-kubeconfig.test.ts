import assert from "node:assert/strict";
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { ClientConfig } from "@rookery/client";
import { createTemporaryFolder } from "@rookery/testing";
import { parse } from "yaml";
import { kubeconfigFile, type MergeOptions, mergeKubeconfig } from "./merge-kubeconfig.ts";

const config: ClientConfig = {
  server: "https://prod.example.com:6443",
  certificateAuthority: { pem: "authority" },
  namespace: "default",
  user: { certificate: { cert: { pem: "certificate" }, key: { pem: "key" } } },
};
const cluster = { namespace: "team", name: "prod", management: "https://management.example.com" };

const theirs = `# of mine
apiVersion: v1
kind: Config
clusters:
- {name: work, cluster: {server: "https://work.example.com"}}
users:
- name: work
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: aws, args: [eks, get-token]}
contexts:
- name: work # the one
  context: {cluster: work, user: work}
current-context: work
preferences: {colors: true}
`;

const merge = (file: string, changes: Partial<MergeOptions> = {}) =>
  mergeKubeconfig({ file, entry: "prod", cluster, config, isCurrent: true, ...changes });

async function scene(text?: string) {
  const folder = await createTemporaryFolder("merge");
  const file = join(folder.path, "config");
  if (text !== undefined) await writeFile(file, text, { mode: 0o644 });
  const read = async () => parse(await readFile(file, "utf8"));
  return { file, read, folder, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe("a cluster in the kubeconfig of a user", () => {
  it("is beside what was there, which stays as it is, and the file is its owner's alone", async () => {
    await using at = await scene(theirs);
    assert.equal(await merge(at.file), "work");
    const [before, after] = [parse(theirs), await at.read()];
    assert.equal(after["current-context"], "prod");
    for (const list of ["clusters", "users", "contexts"]) {
      assert.deepEqual(after[list][0], before[list][0]);
      assert.deepEqual(
        after[list].map((one: { name: string }) => one.name),
        ["work", "prod"],
      );
    }
    assert.deepEqual(after.preferences, before.preferences);
    assert.match(await readFile(at.file, "utf8"), /^# of mine\n(.|\n)*# the one$/m);
    assert.deepEqual(after.clusters[1].cluster, {
      server: config.server,
      "certificate-authority-data": Buffer.from("authority").toString("base64"),
    });
    assert.equal((await stat(at.file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(at.folder.path), ["config"], "nothing is left beside it");
  });

  it("is written anew when it is merged again, and is not made the current one unless asked", async () => {
    await using at = await scene(theirs);
    await merge(at.file, { isCurrent: false });
    const server = "https://moved.example.com";
    await merge(at.file, { isCurrent: false, config: { ...config, server } });
    const { clusters, "current-context": current } = await at.read();
    assert.deepEqual([clusters.length, clusters[1].cluster.server, current], [2, server, "work"]);
  });

  it("makes the file, with its folder, where there is none", async () => {
    await using at = await scene();
    const file = join(at.folder.path, "home", ".kube", "config");
    assert.equal(await merge(file), undefined);
    assert.equal(parse(await readFile(file, "utf8"))["current-context"], "prod");
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it("takes no name that belongs to something else", async () => {
    await using at = await scene(theirs);
    await assert.rejects(merge(at.file, { entry: "work" }), {
      code: "KubeconfigFile",
      message: /its contexts, clusters, users have "work" already, .* --as/,
    });
    await merge(at.file);
    for (const other of [
      { ...cluster, namespace: "other" },
      { ...cluster, management: "https://other.example.com" },
    ]) {
      await assert.rejects(merge(at.file, { cluster: other }), { code: "KubeconfigFile" });
    }
    await writeFile(
      at.file,
      `${theirs.replace("- {name: work", "- {name: prod, cluster: {}}\n- {name: work")}`,
    );
    await assert.rejects(merge(at.file), { message: /its clusters have "prod" already/ });
  });

  it("changes nothing where the file is no kubeconfig", async () => {
    for (const text of ["a: [", "- a list", "just words"]) {
      await using at = await scene(text);
      await assert.rejects(merge(at.file), { code: "KubeconfigFile" });
      assert.equal(await readFile(at.file, "utf8"), text);
      assert.deepEqual(await readdir(at.folder.path), ["config"]);
    }
  });

  it("waits for whoever changes the file, and of many at once none is lost", async () => {
    await using at = await scene(theirs);
    await writeFile(`${at.file}.lock`, "");
    const names = ["a", "b", "c", "d"];
    const all = names.map((entry) =>
      merge(at.file, { entry, cluster: { ...cluster, name: entry }, isCurrent: false }),
    );
    await delay(200);
    assert.deepEqual(await at.read(), parse(theirs));
    await rm(`${at.file}.lock`);
    await Promise.all(all);
    const { contexts } = await at.read();
    const found = contexts.map((one: { name: string }) => one.name).sort();
    assert.deepEqual(found, [...names, "work"]);
  });

  it("is written through a link, which stays one", async () => {
    await using at = await scene(theirs);
    const link = join(at.folder.path, "link");
    await symlink(at.file, link);
    await merge(link);
    assert.ok((await lstat(link)).isSymbolicLink());
    assert.equal((await at.read())["current-context"], "prod");
  });

  it("goes where kubectl would write it", async () => {
    await using at = await scene(theirs);
    const HOME = at.folder.path;
    const missing = join(HOME, "missing");
    assert.equal(await kubeconfigFile("given", { HOME }), "given");
    assert.equal(await kubeconfigFile(undefined, { HOME }), join(HOME, ".kube", "config"));
    const both = { HOME, KUBECONFIG: `${missing}:${at.file}` };
    assert.equal(await kubeconfigFile(undefined, both), at.file);
    assert.equal(await kubeconfigFile(undefined, { HOME, KUBECONFIG: missing }), missing);
    await mkdir(missing);
    await assert.rejects(merge(missing), { code: "KubeconfigFile" });
  });
});
