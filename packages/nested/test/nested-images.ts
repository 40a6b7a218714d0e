import { basename } from "node:path";
import { ensureBinaries, type KubernetesNode } from "@rookery/testing";

export const older = "v1.33.13";
export const newer = "v1.34.4";
const etcdVersion = "3.6.8";
const repository = "registry.k8s.io";

/** The images that control planes of these tests name, each the binary that its program is. */
export async function nestedImages(): Promise<Record<string, string>> {
  const programs = ["kube-apiserver", "kube-controller-manager"] as const;
  const [now, before] = await Promise.all([
    ensureBinaries(["etcd", ...programs]),
    ensureBinaries(programs, { version: older }),
  ]);
  return {
    [`${repository}/etcd:${etcdVersion}-0`]: now.etcd,
    ...Object.fromEntries(programs.map((name) => [`${repository}/${name}:${newer}`, now[name]])),
    ...Object.fromEntries(programs.map((name) => [`${repository}/${name}:${older}`, before[name]])),
  };
}

/** Brings these images to a node. */
export async function importNestedImages(node: KubernetesNode): Promise<void> {
  for (const [name, source] of Object.entries(await nestedImages())) {
    const path = `usr/local/bin/${basename(source)}`;
    await node.importImage({
      name,
      entries: [{ path, source, mode: 0o755 }],
      entrypoint: [`/${path}`],
      env: { PATH: "/usr/local/bin" },
    });
  }
}
