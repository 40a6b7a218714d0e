import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, runCommand } from "@rookery/testing";
import { type Image, imageContent, writeImage } from "./image.ts";

const image: Image = {
  name: "rookery.dev/nest:test",
  entries: [
    { path: "bin/run", content: "#!", mode: 0o755 },
    { path: "bin/run", content: "#!/bin/sh", mode: 0o755 },
    { path: "etc/nest/eggs", content: "3" },
  ],
  entrypoint: ["/bin/run", "--now"],
  env: { EGGS: "3" },
  user: "65532:65532",
};

async function unpack(file: string, folder: string) {
  await mkdir(folder);
  await runCommand("tar", ["-xf", file, "-C", folder]);
  const json = async (name: string) => JSON.parse(await readFile(join(folder, name), "utf8"));
  const [manifest] = await json("manifest.json");
  const layer = join(folder, manifest.Layers[0]);
  return {
    manifest,
    index: await json("index.json"),
    json,
    config: await json(manifest.Config),
    layer,
  };
}

test("an image is a docker-archive and an OCI layout whose digests fit", async () => {
  await using folder = await createTemporaryFolder("image");
  const file = join(folder.path, "image.tar");
  await writeImage(image, file);
  const { manifest, config, layer, index, json } = await unpack(file, join(folder.path, "out"));

  assert.deepEqual(manifest.RepoTags, ["rookery.dev/nest:test"]);
  const digest = createHash("sha256")
    .update(await readFile(layer))
    .digest("hex");
  assert.deepEqual(config.rootfs, { type: "layers", diff_ids: [`sha256:${digest}`] });
  assert.deepEqual(config.config, {
    Entrypoint: ["/bin/run", "--now"],
    Env: ["EGGS=3"],
    User: "65532:65532",
    WorkingDir: "/",
  });

  const [described] = index.manifests;
  assert.equal(described.annotations["io.containerd.image.name"], "rookery.dev/nest:test");
  const oci = await json(`blobs/${described.digest.replace(":", "/")}`);
  assert.equal(`blobs/${oci.config.digest.replace(":", "/")}`, manifest.Config);
  assert.deepEqual(
    oci.layers.map((one: { digest: string }) => one.digest),
    config.rootfs.diff_ids,
  );
  const names = (await runCommand("tar", ["-tf", layer])).trim().split("\n");
  assert.deepEqual(names, ["bin", "bin/run", "etc", "etc/nest", "etc/nest/eggs"]);
  assert.equal(await runCommand("tar", ["-xOf", layer, "bin/run"]), "#!/bin/sh");
});

const changes: Record<string, Image> = {
  "another file": { ...image, entries: [...image.entries, { path: "b", content: "" }] },
  "another content": { ...image, entries: [{ path: "bin/run", content: "#" }] },
  "another user": { ...image, user: "0:0" },
};
test("images hold the same by whatever name, unless something in them differs", () => {
  assert.equal(imageContent({ ...image, name: "rookery.dev/other:test" }), imageContent(image));
  for (const [change, changed] of Object.entries(changes)) {
    assert.notEqual(imageContent(changed), imageContent(image), change);
  }
});

test("an image holds something else when a file was written anew", async () => {
  await using folder = await createTemporaryFolder("image");
  const source = join(folder.path, "file");
  const entries = [{ path: "file", source }];
  await writeFile(source, "one");
  const before = imageContent({ ...image, entries });
  await writeFile(source, "three");
  assert.notEqual(imageContent({ ...image, entries }), before);
});

test("the same image gives the same bytes", async () => {
  await using folder = await createTemporaryFolder("image");
  const [one, two] = ["one.tar", "two.tar"].map((name) => join(folder.path, name));
  assert.ok(one && two);
  await writeImage(image, one);
  await writeImage(image, two);
  assert.deepEqual(await readFile(one), await readFile(two));
});

test("a short name is that of Docker's registry", async () => {
  await using folder = await createTemporaryFolder("image");
  for (const [name, full] of [
    ["nest:1", "docker.io/library/nest:1"],
    ["team/nest:1", "docker.io/team/nest:1"],
    ["localhost:5000/nest:1", "localhost:5000/nest:1"],
  ] as const) {
    const file = join(folder.path, "image.tar");
    await writeImage({ ...image, name }, file);
    const out = join(folder.path, full.replaceAll("/", "_"));
    const { index } = await unpack(file, out);
    assert.equal(index.manifests[0].annotations["io.containerd.image.name"], full);
  }
});
