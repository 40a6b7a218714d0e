import assert from "node:assert/strict";
import { copyFile, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { startLocalServer } from "@rookery/local";
import {
  busyboxImage,
  createTemporaryFolder,
  ensureBinaries,
  type KubernetesNode,
} from "@rookery/testing";
import type { KubectlTarget } from "./run-kubectl.ts";
import { imageNames, nodeName } from "./typed-workload.ts";

export interface DayCluster extends KubectlTarget {
  /** For files that are copied; of one cluster only. */
  readonly folder: string;
}

/** Both nodes have the same busybox for the image, by these names too. */
const commands = ["httpd", "tar"];

/** A real node, with the images and with a kubeconfig that can be changed. */
export async function realCluster(
  node: KubernetesNode,
  stack: AsyncDisposableStack,
): Promise<DayCluster> {
  for (const name of imageNames) {
    const { entries, ...image } = busyboxImage();
    const links = commands.map((command) => ({ path: `bin/${command}`, link: "busybox" }));
    await node.importImage({ ...image, name, entries: [...entries, ...links] });
  }
  const folder = stack.use(await createTemporaryFolder("day-real")).path;
  const kubeconfig = join(folder, "kubeconfig");
  await copyFile(node.kubeconfig, kubeconfig);
  return { kubectl: node.description.kubectl, kubeconfig, folder };
}

/** The embedded Kubernetes, with a node of the same name. */
export async function embeddedCluster(stack: AsyncDisposableStack): Promise<DayCluster> {
  const { kubectl } = await ensureBinaries(["kubectl"]);
  const folder = stack.use(await createTemporaryFolder("day-own")).path;
  const path = join(folder, "bin");
  await mkdir(path);
  const links = busyboxImage().entries.flatMap((entry) => ("link" in entry ? [entry.path] : []));
  for (const name of [...links.map((link) => link.replace("bin/", "")), ...commands]) {
    await symlink("/bin/busybox", join(path, name));
  }
  const program = { entrypoint: ["/bin/sleep", "2147483647"], path: [path], id: "busybox" };
  const images = {
    programOf: (name: string) => (imageNames.some((each) => each === name) ? program : undefined),
    hint: "",
  };
  const data = join(folder, "data");
  // Another one on this machine may have the usual addresses.
  const third = process.pid % 256;
  const networks = { podCidr: `127.71.${third}.0/24`, serviceCidr: `127.97.${third}.0/24` };
  const node = { images, name: nodeName };
  const server = stack.use(await startLocalServer({ data, port: 0, node, ...networks }));
  return { kubectl, kubeconfig: server.kubeconfig ?? assert.fail(), folder };
}
