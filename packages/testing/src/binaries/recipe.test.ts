import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { binarySets, cacheKey, moduleFolder, recipeOf } from "./recipe.ts";

test("binaries say the version that the committed module pins", async () => {
  const module = await readFile(join(moduleFolder("kubernetes"), "go.mod"), "utf8");
  const [, version = "none"] = /^require k8s\.io\/kubernetes (\S+)$/m.exec(module) ?? [];
  const { ldflags } = recipeOf("kube-apiserver");
  assert.match(ldflags, new RegExp(`version\\.gitVersion=${version} `));
  assert.match(await cacheKey(), new RegExp(`^${version}-[0-9a-f]{16}$`));
});

test("every binary of Kubernetes is among the tools of the committed module", async () => {
  const tools = await readFile(join(moduleFolder("kubernetes"), "tools.go"), "utf8");
  for (const name of binarySets.node.filter((name) => name !== "etcd")) {
    assert.ok(tools.includes(`_ "${recipeOf(name).package}"`), name);
  }
});
