import { mkdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ChildOptions } from "../process/child.ts";
import type { Invocation } from "./environment.ts";
import type { Container } from "./pod.ts";

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Mounts live in a namespace of the process and end with it; `exec` keeps its number. */
const script = `
root=$1; shift
while [ "$1" != -- ]; do mount --bind "$1" "$root$2" || exit 125; shift 2; done; shift
exec chroot "$root" "$@"`;

/** The root folder of one container: its program, its volumes and its names, and nothing else. */
export interface Sandbox {
  readonly root: string;
  /** What is seen where: folders of volumes, and the program. */
  readonly mounts: readonly { readonly source: string; readonly target: string }[];
}

/** Makes the places in a root folder where the program and the volumes will be seen. */
export async function createSandbox(
  root: string,
  container: Container,
  parts: { readonly binary: string; readonly volumes: ReadonlyMap<string, string> },
): Promise<Sandbox> {
  const program = `/usr/local/bin/${basename(parts.binary)}`;
  for (const folder of ["etc", "tmp", dirname(program)]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await writeFile(join(root, program), "");
  // Names come from /etc/hosts alone: no server of this machine is asked.
  await writeFile(join(root, "etc/nsswitch.conf"), "hosts: files\n");
  const mounts = [{ source: parts.binary, target: program }];
  for (const { name, mountPath, subPath } of container.volumeMounts ?? []) {
    const volume = parts.volumes.get(name);
    if (volume === undefined) throw new Error(`there is no volume "${name}"`);
    await mkdir(join(root, mountPath), { recursive: true });
    mounts.push({ source: join(volume, subPath ?? ""), target: mountPath });
  }
  return { root, mounts };
}

/** How a program is started in its root folder, without rights where this process has none. */
export function sandboxed(
  { root, mounts }: Sandbox,
  { command, env }: Invocation,
  child: Pick<ChildOptions, "name" | "log" | "grace">,
): ChildOptions {
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const pairs = mounts.flatMap(({ source, target }) => [source, target]);
  const shell = ["/bin/sh", "-c", script, "sh", root, ...pairs, "--", ...command];
  return {
    ...child,
    command: "unshare",
    args: ["--mount", "--propagation=private", ...user, ...shell],
    env: { PATH: path, ...collection(), ...env },
  };
}

/** How Go programs collect their garbage is what a run of tests says of all that it starts. */
function collection(): NodeJS.ProcessEnv {
  const { GOGC } = process.env;
  return GOGC === undefined ? {} : { GOGC };
}

/** Replaces the names that are known in a root folder in one step. */
export async function writeHosts(root: string, text: string): Promise<void> {
  const file = join(root, "etc/hosts");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}
