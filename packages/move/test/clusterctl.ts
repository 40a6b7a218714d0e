import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clusterctlProgram, type Kubernetes, runCommand } from "@rookery/testing";

/** Moves a namespace by the real clusterctl. */
export async function moveByClusterctl(
  source: Kubernetes,
  target: Kubernetes,
  options: { readonly namespace: string; readonly folder: string },
): Promise<void> {
  const { namespace, folder } = options;
  const config = join(folder, "clusterctl.yaml");
  await writeFile(config, "providers: []\n");
  const program = await clusterctlProgram();
  const settings = `CLUSTERCTL_DISABLE_VERSIONCHECK=true HOME=${folder}`;
  await runCommand("sh", [
    ...["-c", `${settings} exec ${program} "$@"`, "clusterctl", "move", "--config", config],
    ...["--kubeconfig", source.kubeconfig, "--to-kubeconfig", target.kubeconfig],
    ...["--namespace", namespace],
  ]);
}
