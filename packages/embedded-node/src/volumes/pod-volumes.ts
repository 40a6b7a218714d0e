import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type {
  HostPathVolumeSource,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  PersistentVolumeSpec,
  PodSecurityContext,
  Volume,
} from "@rookery/api";
import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { VolumeError } from "../errors.ts";
import type { BoundPod } from "../pod/pod.ts";
import { isFolderVolume } from "./folder-volumes.ts";
import { type FileSources, type VolumeFiles, volumeFiles } from "./volume-files.ts";
import { applyFsGroup } from "./volume-ownership.ts";
import { writeFiles } from "./write-files.ts";

const claims = builtInResources.persistentVolumeClaims;
const persistentVolumes = builtInResources.persistentVolumes;

export interface PodVolumesOptions {
  /** Of this pod's volumes alone. */
  readonly folder: string;
  readonly client: Client;
  readonly sources: FileSources;
}

/** A volume that could not be set up. */
export interface VolumeProblem {
  readonly volume: string;
  readonly message: string;
}

/** The volumes of one pod as folders. */
export class PodVolumes {
  readonly #options: PodVolumesOptions;
  readonly #written = new Map<string, string>();
  readonly #folders = new Map<string, string>();
  readonly #given = new Set<string>();

  constructor(options: PodVolumesOptions) {
    this.#options = options;
  }

  /** Where each volume is. */
  get folders(): ReadonlyMap<string, string> {
    return this.#folders;
  }

  /** Sets up missing volumes and writes changed files. Returns the problems. */
  async prepare(pod: BoundPod): Promise<readonly VolumeProblem[]> {
    const problems: VolumeProblem[] = [];
    for (const volume of pod.spec.volumes ?? []) {
      const { name = "" } = volume;
      try {
        this.#folders.set(name, await this.#prepare(pod, volume));
      } catch (error) {
        problems.push({ volume: name, message: messageOf(error) });
      }
    }
    return problems;
  }

  async #prepare(pod: BoundPod, volume: Volume): Promise<string> {
    const { name = "", emptyDir, hostPath: path, persistentVolumeClaim: claim } = volume;
    if (path) return hostPath(path);
    if (claim) return this.#claimed(pod, claim.claimName ?? "");
    if (volume.ephemeral) return this.#claimed(pod, `${pod.metadata.name}-${name}`);
    const folder = join(this.#options.folder, name);
    if (emptyDir) {
      if (!this.#given.has(folder)) await makeEmptyDir(folder);
      return this.#giveOnce(folder, pod.spec.securityContext);
    }
    const files = await volumeFiles(pod, volume, this.#options.sources);
    if (!files) {
      const [kind] = Object.keys(volume).filter((key) => key !== "name");
      throw new VolumeError(`this node has no volumes of type ${kind}`);
    }
    this.#write(folder, files, pod.spec.securityContext?.fsGroup);
    return folder;
  }

  #write(folder: string, files: VolumeFiles, group: number | undefined): void {
    const hash = createHash("sha256");
    for (const [path, { bytes, mode }] of files) hash.update(`${path}\0${mode}\0`).update(bytes);
    const digest = hash.digest("base64");
    if (this.#written.get(folder) === digest) return;
    writeFiles(folder, files, group);
    this.#written.set(folder, digest);
  }

  /** Before containers begin: what they make belongs to the group by itself, and changes under a walk. */
  #giveOnce(folder: string, context: PodSecurityContext | undefined): string {
    if (!this.#given.has(folder)) applyFsGroup(folder, context);
    this.#given.add(folder);
    return folder;
  }

  /** The folder of the volume that a claim is bound to. */
  async #claimed({ metadata, spec }: BoundPod, name: string): Promise<string> {
    const { namespace = "" } = metadata;
    const { client } = this.#options;
    const claim = await client
      .resource<KubeObject<PersistentVolumeClaimSpec, PersistentVolumeClaimStatus>>(claims)
      .get({ namespace, name });
    const { volumeName } = claim.spec ?? {};
    if (claim.status?.phase !== "Bound" || !volumeName) {
      throw new VolumeError(`error processing PVC ${namespace}/${name}: PVC is not bound`);
    }
    const volume = await client
      .resource<KubeObject<PersistentVolumeSpec>>(persistentVolumes)
      .get({ name: volumeName });
    const { hostPath: path, local } = volume.spec ?? {};
    const give = (folder: string) => this.#giveOnce(folder, spec.securityContext);
    // Another's hostPath volume keeps its owners, as with a kubelet: it may be any folder of the machine.
    if (path) return isFolderVolume(volume) ? give(await hostPath(path)) : hostPath(path);
    if (local?.path) return give(await hostPath({ path: local.path, type: "Directory" }));
    throw new VolumeError(`volume ${volumeName} is no folder of this machine`);
  }
}

/** For any user, whatever this process makes its own folders with. */
async function makeEmptyDir(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o777);
}

const kinds: Readonly<Record<string, readonly [string, (stats: Stats) => boolean]>> = {
  Directory: ["a directory", (stats) => stats.isDirectory()],
  DirectoryOrCreate: ["a directory", (stats) => stats.isDirectory()],
  File: ["a file", (stats) => stats.isFile()],
  FileOrCreate: ["a file", (stats) => stats.isFile()],
  Socket: ["a socket file", (stats) => stats.isSocket()],
  CharDevice: ["a character device", (stats) => stats.isCharacterDevice()],
  BlockDevice: ["a block device", (stats) => stats.isBlockDevice()],
};

/** The path of a hostPath volume, of the type that it asks for. Rejects with VolumeError. */
async function hostPath({ path = "/", type }: HostPathVolumeSource): Promise<string> {
  if (type === "DirectoryOrCreate") await mkdir(path, { recursive: true, mode: 0o755 });
  if (type === "FileOrCreate") await writeFile(path, "", { flag: "a", mode: 0o644 });
  if (!type) {
    // What is not there becomes a folder, as container runtimes do it.
    await mkdir(path, { recursive: true }).catch(() => {});
    return path;
  }
  const [text, isKind] = kinds[type] ?? [];
  const stats = await stat(path).catch(() => undefined);
  if (stats && isKind?.(stats)) return path;
  throw new VolumeError(`hostPath type check failed: ${path} is not ${text}`);
}
