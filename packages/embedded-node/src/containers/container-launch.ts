import { existsSync } from "node:fs";
import { chmod, chown, mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join, normalize } from "node:path";
import type { Container, VolumeMount } from "@rookery/api";
import { NodeError, UnreadableProgramError } from "../errors.ts";
import { hostsPath } from "../names/pod-hosts.ts";
import { expand } from "../pod/expand.ts";
import type { BoundPod } from "../pod/pod.ts";
import { isExecutable, type MountTools } from "../processes/mount-mode.ts";
import { type RunAs, runAsOf, userError } from "../processes/run-as.ts";
import { podUidVariable } from "../processes/stray-processes.ts";
import { subPathOf } from "../volumes/sub-path.ts";
import { type ContainerMount, createRoot, inRoot } from "./container-root.ts";
import { imageCommand } from "./image-command.ts";
import type { ImageProgram } from "./images.ts";
import { substitutePaths } from "./path-substitution.ts";
import { programMounts } from "./program-mounts.ts";

const machinePath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

export interface LaunchOptions {
  readonly pod: BoundPod;
  readonly container: Container;
  readonly program: ImageProgram;
  /** By the pod's spec. */
  readonly variables: Readonly<Record<string, string>>;
  readonly address: string;
  /** Of this container alone. */
  readonly folder: string;
  readonly volumes: ReadonlyMap<string, string>;
  /** Mounted at /etc/hosts, where containers have mounts of their own. */
  readonly hostsFile: string;
  /** Of the node: what containers of one user share. */
  readonly shared: string;
  /** Undefined where the node can't mount. */
  readonly tools: MountTools | undefined;
}

export interface Command {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How commands are run in a container. */
export interface Launch {
  /** The container's own command. */
  readonly main: readonly string[];
  /** How any command runs as a part of the container. */
  commandOf(command: readonly string[]): Command;
  /** Undefined where it can be run, else what a container runtime says. */
  startProblem(command: readonly string[]): string | undefined;
  readonly terminationMessageFile: string;
  /** Where the name of its terminal is, where it has one. */
  readonly terminalFile: string;
}

/** Prepares the files and commands of one run of a container. Errors: ContainerConfigError, NodeError. */
export async function prepareLaunch(given: LaunchOptions): Promise<Launch> {
  const { container, pod, folder, tools } = given;
  const canSwitch = tools?.canSwitch ?? false;
  const user = runAsOf(pod, container, { uid: process.getuid?.(), canSwitch });
  const options = { ...given, user };
  const own = await ownFiles(folder, user);
  const { terminationMessageFile, work } = own;
  const mounts = [...mountsOf(options, own), ...programMountsOf(options)];
  const env = environmentOf(options, mounts);
  const isProgram = (file: string) => isExecutable(substitutePaths(file, mounts));
  const onMachine = (command: readonly string[]) =>
    imageCommand(command, options.program, isProgram);
  const main = mainCommand(options, env);
  const startProblem = (command: readonly string[]) =>
    startProblemOf(onMachine(command)[0] ?? "", { env, isProgram });
  const terminalFile = join(folder, "terminal");
  const common = { main, terminationMessageFile, startProblem, terminalFile };
  if (!tools) {
    const commandOf = substituting({ env, mounts, container, work });
    return { ...common, commandOf: (command) => commandOf(onMachine(command)) };
  }
  const root = join(folder, "root");
  createRoot(root, mounts);
  const cwd = container.workingDir || "/";
  const mayGainPrivileges = container.securityContext?.allowPrivilegeEscalation !== false;
  const commandOf = (command: readonly string[]) => ({
    command: inRoot(root, tools, { command: onMachine(command), cwd, user, mayGainPrivileges }),
    env,
    cwd: "/",
  });
  return { ...common, commandOf };
}

interface UserOptions extends LaunchOptions {
  /** Undefined where it runs as the node does. */
  readonly user: RunAs | undefined;
}

interface OwnFiles {
  readonly terminationMessageFile: string;
  readonly work: string;
}

/** Files of the container that its user writes, whatever mode they would be made with. */
async function ownFiles(folder: string, user: RunAs | undefined): Promise<OwnFiles> {
  const terminationMessageFile = join(folder, "termination-log");
  const work = join(folder, "work");
  await mkdir(work, { recursive: true });
  await chmod(work, 0o755);
  if (user) await chown(work, user.uid, user.gid);
  // A new file for each run: processes of the last run still write to theirs.
  await rm(terminationMessageFile, { force: true });
  await writeFile(terminationMessageFile, "", { flag: "wx" });
  await chmod(terminationMessageFile, 0o666);
  return { terminationMessageFile, work };
}

/** Mounts the parts of the program that the container's user could not read otherwise. */
function programMountsOf(options: UserOptions): readonly ContainerMount[] {
  const { user, program, pod, container, folder, shared } = options;
  if (!user) return [];
  try {
    return programMounts(program, { user, folder, shared });
  } catch (error) {
    if (!(error instanceof UnreadableProgramError)) throw error;
    const why = "container has runAsNonRoot and image will run as root";
    throw userError(why, pod, container, error.message);
  }
}

interface Substituting {
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly ContainerMount[];
  readonly container: Container;
  readonly work: string;
}

function substituting({ env, mounts, container, work }: Substituting): Launch["commandOf"] {
  const substitute = (text: string) => substitutePaths(text, mounts);
  const variables = Object.entries(env).map(([name, value]) => [name, substitute(value)] as const);
  const cwd = substitute(container.workingDir || work);
  return (command) => ({
    command: command.map(substitute),
    env: Object.fromEntries(variables),
    cwd: existsSync(cwd) ? cwd : work,
  });
}

function mainCommand(
  { container, program }: LaunchOptions,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  const { command = [], args = [] } = container;
  const own = command.map((text) => expand(text, env));
  const begin = own.length > 0 ? own : program.entrypoint;
  return [...begin, ...args.map((text) => expand(text, env))];
}

function environmentOf(
  { pod, program, variables, address, tools, user }: UserOptions,
  mounts: readonly ContainerMount[],
): Record<string, string> {
  const { metadata, spec } = pod;
  const account = mounts.find(({ target }) => target === serviceAccountFolder);
  return {
    PATH: [...(program.path ?? []), machinePath].join(delimiter),
    HOME: user ? "/" : (process.env.HOME ?? "/"),
    HOSTNAME: spec.hostname || (metadata.name ?? ""),
    ...program.env,
    ...variables,
    ROOKERY_LISTEN_HOST: address,
    [podUidVariable]: metadata.uid ?? "",
    ...(account && !tools && { ROOKERY_SERVICE_ACCOUNT_FOLDER: account.source }),
  };
}

function mountsOf(options: UserOptions, own: OwnFiles): readonly ContainerMount[] {
  const { container, tools, hostsFile } = options;
  const { terminationMessagePath = "/dev/termination-log", workingDir } = container;
  const mounts: ContainerMount[] = [
    { source: own.terminationMessageFile, target: terminationMessagePath, readOnly: false },
    ...(container.volumeMounts ?? []).map((mount) => volumeMount(mount, options)),
  ];
  const hasHosts = mounts.some(({ target }) => target === hostsPath);
  if (tools && !hasHosts) mounts.push({ source: hostsFile, target: hostsPath, readOnly: false });
  const isPlaced = mounts.some(({ target }) => `${workingDir}/`.startsWith(`${target}/`));
  if (workingDir && !isPlaced && !existsSync(workingDir)) {
    mounts.push({ source: own.work, target: folderPath(workingDir), readOnly: false });
  }
  return mounts;
}

function volumeMount(mount: VolumeMount, options: UserOptions): ContainerMount {
  const { pod, container, volumes, variables } = options;
  const { name = "", mountPath = "", readOnly = false } = mount;
  const volume = volumes.get(name);
  if (volume === undefined) throw new NodeError(`there is no volume "${name}"`);
  const part = subPathOf(mount, { volume, container: container.name ?? "", variables });
  const isReadOnly = readOnly || isMadeOfFiles(pod, name);
  const target = folderPath(mountPath);
  return { ...(part ?? { source: volume }), target, readOnly: isReadOnly };
}

/** Only the node writes to such volumes, as a kubelet. */
function isMadeOfFiles({ spec }: BoundPod, name: string): boolean {
  const { configMap, secret, downwardAPI, projected } =
    spec.volumes?.find((volume) => volume.name === name) ?? {};
  return Boolean(configMap ?? secret ?? downwardAPI ?? projected);
}

function folderPath(path: string): string {
  const normal = normalize(join("/", path));
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

function startProblemOf(
  program: string,
  { env, isProgram }: Pick<Substituting, "env"> & { readonly isProgram: (file: string) => boolean },
): string | undefined {
  const folders = (env.PATH ?? "").split(delimiter);
  const places = program.includes("/") ? [program] : folders.map((folder) => join(folder, program));
  if (places.some(isProgram)) return undefined;
  const why = program.includes("/")
    ? `stat ${program}: no such file or directory`
    : "executable file not found in $PATH";
  return `unable to start container process: exec: "${program}": ${why}: unknown`;
}
