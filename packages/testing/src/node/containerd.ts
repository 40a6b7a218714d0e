import { mkdir, readFile, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProcessEndedError } from "../errors.ts";
import { type Child, startChild } from "../process/child.ts";
import { runCommand } from "../process/command.ts";
import { waitFor } from "../process/wait-for.ts";

const namespace = "k8s.io";
/** As statfs names them: ext4 and XFS. */
const layeringFileSystems = [0xef53, 0x58465342];

/** Layers, as nodes do, where the folder's file system is known to bear it; else copies, which every one does. */
export async function snapshotterFor(folder: string): Promise<"overlayfs" | "native"> {
  const { type } = await statfs(folder);
  const known = await readFile("/proc/filesystems", "utf8");
  const isLayering = layeringFileSystems.includes(type) && /\boverlay$/m.test(known);
  return isLayering ? "overlayfs" : "native";
}

export function containerdPaths(folder: string) {
  return {
    config: join(folder, "containerd.toml"),
    root: join(folder, "containerd", "root"),
    state: join(folder, "containerd", "state"),
    socket: join(folder, "containerd.sock"),
    cni: join(folder, "cni"),
  };
}

/** Starts a containerd of one's own: nothing of it lies outside of the folder, save its shims' sockets. */
export async function startContainerd(
  folder: string,
  options: { readonly sandboxImage: string; readonly logs: string },
): Promise<Child> {
  const paths = containerdPaths(folder);
  await mkdir(paths.root, { recursive: true });
  await mkdir(paths.state, { recursive: true });
  const snapshotter = await snapshotterFor(folder);
  await writeFile(paths.config, containerdConfig(folder, { ...options, snapshotter }));
  const child = await startChild({
    name: "containerd",
    command: "containerd",
    args: [`--config=${paths.config}`, "--log-level=info"],
    log: join(options.logs, "containerd.log"),
  });
  try {
    await waitUntilServing(folder, child);
    return child;
  } catch (error) {
    await child.kill();
    throw error;
  }
}

/** Runs ctr against the containerd of a folder, in the namespace of Kubernetes. */
export function ctr(folder: string, args: readonly string[]): Promise<string> {
  const { socket } = containerdPaths(folder);
  return runCommand("ctr", [`--address=${socket}`, `--namespace=${namespace}`, ...args]);
}

async function waitUntilServing(folder: string, child: Child): Promise<void> {
  await waitFor(
    async () => {
      child.assertRunning();
      const plugins = await ctr(folder, ["plugins", "list", "id==cri"]);
      return /\bcri\b.*\bok\b/.test(plugins);
    },
    { what: "containerd to serve", fatal: (error) => error instanceof ProcessEndedError },
  );
}

function containerdConfig(
  folder: string,
  { sandboxImage, snapshotter }: { readonly sandboxImage: string; readonly snapshotter: string },
): string {
  const { root, state, socket, cni } = containerdPaths(folder);
  const text = JSON.stringify;
  return `version = 2
root = ${text(root)}
state = ${text(state)}
disabled_plugins = [
  "io.containerd.internal.v1.opt",
  "io.containerd.snapshotter.v1.aufs",
  "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.snapshotter.v1.zfs",
]

[grpc]
  address = ${text(socket)}

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ${text(sandboxImage)}
  netns_mounts_under_state_dir = true
  # Root in a container may not protect a process more than itself is.
  restrict_oom_score_adj = true
  stream_server_address = "127.0.0.1"
  stream_server_port = "0"

  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = ${text(join(cni, "conf"))}

  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = ${text(snapshotter)}
    default_runtime_name = "runc"

    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"

      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        Root = ${text(join(folder, "runc"))}
        SystemdCgroup = false
`;
}
