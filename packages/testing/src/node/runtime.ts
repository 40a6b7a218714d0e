import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { busyboxImage } from "../images/busybox.ts";
import type { Child } from "../process/child.ts";
import { createCgroup } from "./cgroups.ts";
import { nodeCgroup } from "./claim-machine.ts";
import { containerdPaths, startContainerd } from "./containerd.ts";
import { importImage } from "./import-image.ts";
import { createBridge, writeCniConfig } from "./network.ts";

/** Starts what containers run in: the bridge, the cgroup and a containerd with the sandbox's image. */
export async function startRuntime(folder: string): Promise<Child> {
  const logs = join(folder, "logs");
  await mkdir(logs, { recursive: true });
  await createBridge();
  await createCgroup(nodeCgroup);
  await writeCniConfig(containerdPaths(folder).cni);
  const sandbox = busyboxImage();
  const containerd = await startContainerd(folder, { sandboxImage: sandbox.name, logs });
  try {
    await importImage(folder, sandbox);
    return containerd;
  } catch (error) {
    await containerd.kill();
    throw error;
  }
}
