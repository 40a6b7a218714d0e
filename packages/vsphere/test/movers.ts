import { fileURLToPath } from "node:url";
import {
  clusterctlProgram,
  createTemporaryFolder,
  type Kubernetes,
  runCommand,
} from "@rookery/testing";

/** Moves what is in a namespace from one Kubernetes to another. Returns what it says. */
export type Mover = (namespace: string, from: Kubernetes, to: Kubernetes) => Promise<string>;

const rookery = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));

/** By the real clusterctl. */
export const moveByClusterctl: Mover = async (...places) => {
  await using home = await createTemporaryFolder("clusterctl");
  const env = {
    ...process.env,
    HOME: home.path,
    XDG_CONFIG_HOME: home.path,
    CLUSTERCTL_DISABLE_VERSIONCHECK: "true",
  };
  return runCommand(await clusterctlProgram(), moveArguments(...places), { env });
};

/** By our own command, which takes the same flags. */
export const moveByRookery: Mover = (...places) =>
  runCommand(process.execPath, [rookery, ...moveArguments(...places)]);

function moveArguments(namespace: string, from: Kubernetes, to: Kubernetes): readonly string[] {
  return [
    ...["move", `--namespace=${namespace}`],
    ...[`--kubeconfig=${from.kubeconfig}`, `--to-kubeconfig=${to.kubeconfig}`],
  ];
}
