import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type BinaryName, binarySets, cacheKey, moduleFolder, recipeOf } from "./recipe.ts";

const versions = { kubernetes: "v1.34.4", "kubernetes-1.33": "v1.33.13" } as const;
for (const [folder, expected] of Object.entries(versions)) {
  test(`binaries say the version that the committed module ${folder} pins`, async () => {
    const module = await readFile(join(moduleFolder(folder), "go.mod"), "utf8");
    const [, version = "none"] = /^require k8s\.io\/kubernetes (\S+)$/m.exec(module) ?? [];
    assert.equal(version, expected);
    const { ldflags } = recipeOf("kube-apiserver", expected);
    assert.match(ldflags, new RegExp(`version\\.gitVersion=${version} `));
    assert.match(await cacheKey(expected), new RegExp(`^${version}-[0-9a-f]{16}$`));
  });
}

test("every binary of Kubernetes is among the tools of the committed module", async () => {
  await areTools(
    "kubernetes",
    binarySets.node.filter((name) => name !== "etcd"),
  );
  await areTools("kubernetes-1.33", ["kube-apiserver", "kube-controller-manager"]);
});

async function areTools(folder: string, names: readonly BinaryName[]): Promise<void> {
  const tools = await readFile(join(moduleFolder(folder), "tools.go"), "utf8");
  for (const name of names) assert.ok(tools.includes(`_ "${recipeOf(name).package}"`), name);
}
