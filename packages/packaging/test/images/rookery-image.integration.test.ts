import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  createTemporaryFolder,
  runCommand,
  whyUnavailable,
  workspaceImage,
} from "@rookery/testing";
import { fetchPackage, lockedPackages } from "../../src/images/debian-packages.ts";
import { type Image, writeImage } from "../../src/images/image.ts";
import { rookeryImage } from "../../src/images/rookery-image.ts";

const canChroot = process.platform === "linux" && process.getuid?.() === 0;

/** What the image prints with these arguments, as its user, with nothing of this machine around it. */
async function printedBy(image: Image, ...args: readonly string[]): Promise<string> {
  await using folder = await createTemporaryFolder("rookery-image");
  await writeImage(image, join(folder.path, "image.tar"));
  const rootfs = join(folder.path, "rootfs");
  await mkdir(rootfs);
  await chmod(folder.path, 0o755);
  await runCommand("tar", ["-xf", join(folder.path, "image.tar"), "-C", folder.path]);
  const [manifest] = JSON.parse(await readFile(join(folder.path, "manifest.json"), "utf8"));
  await runCommand("tar", ["-xpf", join(folder.path, manifest.Layers[0]), "-C", rootfs]);
  const ran = spawnSync(
    "/usr/sbin/chroot",
    [`--userspec=${image.user}`, rootfs, ...image.entrypoint, ...args],
    { encoding: "utf8", env: { ...image.env } },
  );
  assert.equal(ran.stderr, "");
  return ran.stdout;
}

test("the image runs the command with nothing of this machine", { skip: !canChroot }, async () => {
  const image = await rookeryImage();
  assert.match(await printedBy(image, "crds"), /^kind: CustomResourceDefinition$/m);
});

const whyNot = canChroot
  ? await whyUnavailable(() =>
      Promise.all(lockedPackages(process.arch).map((one) => fetchPackage(one))),
    )
  : "it needs root on Linux";

test("the released image runs on the Node and the libraries that are locked, and has the same bytes each time", {
  skip: whyNot,
}, async () => {
  await using folder = await createTemporaryFolder("libraries");
  const image = await rookeryImage({ lockedIn: { folder: folder.path } });
  assert.match(await printedBy(image, "crds"), /^kind: CustomResourceDefinition$/m);
  const bytes = async () => {
    const file = join(folder.path, "image.tar");
    await writeImage(image, file);
    return createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
  };
  assert.equal(await bytes(), await bytes());
  const sources = image.entries.flatMap((entry) => ("source" in entry ? entry.source : []));
  const machine = sources.filter((file) => /^\/(usr\/)?lib/.test(file));
  assert.deepEqual(machine, [], "nothing is this machine's");
});

test("an image of the workspace runs its packages", { skip: !canChroot }, async () => {
  const main = {
    path: "main.ts",
    content: `import { contextKey } from "@rookery/http";
const key: string = contextKey("nest").name;
console.log(key);
`,
  };
  const image = await workspaceImage({ name: "nest:test", files: [main], main: main.path });
  assert.equal(await printedBy(image), "nest\n");
});
