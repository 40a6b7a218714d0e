import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { files, open } from "../../test/repositories/open.ts";

test("a local folder is laid out as clusterctl's local repositories", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rookery-components-"));
  try {
    const release = join(folder, "infrastructure-aws", "v1.0.0");
    await mkdir(release, { recursive: true });
    await writeFile(join(release, "c.yaml"), files.components);
    await writeFile(join(release, "metadata.yaml"), files.metadata);
    const { repository } = open({}, { url: `file://${folder}/infrastructure-aws/latest/c.yaml` });
    assert.deepEqual(await repository.versions(), ["v1.0.0"]);
    assert.deepEqual(await repository.files("v1.0.0"), files);
    await assert.rejects(repository.files("v2.0.0"), { reason: "NotFound" });
    await assert.rejects(repository.file("v1.0.0", "../v1.0.0/c.yaml"), { reason: "NotFound" });
  } finally {
    await rm(folder, { recursive: true });
  }
});
