import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Image, imageContent, writeImage } from "@rookery/packaging";
import { acquireLock } from "../process/lock.ts";
import { waitFor } from "../process/wait-for.ts";
import { ctr, snapshotterFor } from "./containerd.ts";

/**
 * Brings an image to the containerd of a folder and waits until a kubelet can see it. What is there
 * already under another name is only named anew.
 */
export async function importImage(folder: string, image: Image): Promise<void> {
  const known = `rookery.dev/content:${imageContent(image)}`;
  {
    const purpose = `brings image ${image.name} to the node`;
    await using _ = await acquireLock(join(folder, "images.lock"), { purpose });
    const isThere = (await ctr(folder, ["images", "list", "--quiet", `name==${known}`])) !== "";
    if (!isThere) await importArchive(folder, { ...image, name: known });
    await ctr(folder, ["images", "tag", "--force", known, image.name]);
  }
  // The CRI plugin learns of it by an event, and labels what it has taken in.
  const label = "io.cri-containerd.image=managed";
  const list = ["images", "list", `name==${image.name}`];
  await waitFor(async () => (await ctr(folder, list)).includes(label), {
    what: `image ${image.name} to be known to the node`,
  });
}

async function importArchive(folder: string, image: Image): Promise<void> {
  const archive = join(folder, `image-${randomBytes(4).toString("hex")}.tar`);
  try {
    await writeImage(image, archive);
    const snapshotter = await snapshotterFor(folder);
    await ctr(folder, ["images", "import", `--snapshotter=${snapshotter}`, archive]);
  } finally {
    await rm(archive, { force: true });
  }
}
