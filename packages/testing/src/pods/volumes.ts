import { lstat, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KeyedData, KeyToPath, Pod, Volume } from "./pod.ts";

/** Where volumes take their content from. */
export interface VolumeSources {
  secret(namespace: string, name: string): KeyedData | undefined;
  configMap(namespace: string, name: string): KeyedData | undefined;
  /** The folder of a claim that is bound. */
  claim(namespace: string, name: string): string | undefined;
}

/** The volumes of one pod as folders; what Secrets and ConfigMaps hold is written again when it changes. */
export class PodVolumes {
  readonly #pod: Pod;
  readonly #folder: string;
  readonly #sources: VolumeSources;
  readonly #written = new Map<string, string>();

  constructor(pod: Pod, folder: string, sources: VolumeSources) {
    this.#pod = pod;
    this.#folder = folder;
    this.#sources = sources;
  }

  /** The folder of each volume by its name, or what is missing. */
  async prepare(): Promise<Map<string, string> | { readonly missing: string }> {
    const folders = new Map<string, string>();
    for (const volume of this.#pod.spec.volumes ?? []) {
      const folder = await this.#prepare(volume);
      if (folder === undefined) return { missing: `volume "${volume.name}" is not there yet` };
      folders.set(volume.name, folder);
    }
    return folders;
  }

  async #prepare(volume: Volume): Promise<string | undefined> {
    const { namespace } = this.#pod.metadata;
    const { persistentVolumeClaim: claim } = volume;
    if (claim) return this.#sources.claim(namespace, claim.claimName);
    const folder = join(this.#folder, volume.name);
    await mkdir(folder, { recursive: true });
    if (volume.emptyDir) return folder;
    const content = this.#contentOf(volume);
    if (!content) return undefined;
    await this.#write(folder, content);
    return folder;
  }

  #contentOf({ secret, configMap, projected }: Volume): Map<string, Buffer> | undefined {
    const { namespace } = this.#pod.metadata;
    if (projected) {
      const parts = projected.sources.map(({ secret: { name, items } }) =>
        filesOf(this.#sources.secret(namespace, name), "base64", items),
      );
      return parts.includes(undefined)
        ? undefined
        : new Map(parts.flatMap((part) => [...(part ?? [])]));
    }
    const items = secret?.items ?? configMap?.items;
    if (secret) return filesOf(this.#sources.secret(namespace, secret.secretName), "base64", items);
    if (!configMap) return undefined;
    return filesOf(this.#sources.configMap(namespace, configMap.name), "utf8", items);
  }

  async #write(folder: string, content: Map<string, Buffer>): Promise<void> {
    const text = JSON.stringify([...content].map(([name, bytes]) => [name, bytes.toString("hex")]));
    if (this.#written.get(folder) === text) return;
    await writeAtomically(folder, content);
    this.#written.set(folder, text);
  }
}

function filesOf(
  object: KeyedData | undefined,
  encoding: "base64" | "utf8",
  items: readonly KeyToPath[] | undefined,
): Map<string, Buffer> | undefined {
  if (!object) return undefined;
  const { data = {} } = object;
  const wanted = items ?? Object.keys(data).map((key) => ({ key, path: key }));
  if (wanted.some(({ key }) => data[key] === undefined)) return undefined;
  return new Map(wanted.map(({ key, path }) => [path, Buffer.from(data[key] ?? "", encoding)]));
}

/**
 * Puts files into a folder all at once, as a kubelet does: each is a link through `..data`, which is
 * swapped for the new content in one step.
 */
async function writeAtomically(folder: string, files: Map<string, Buffer>): Promise<void> {
  const before = new Set(await readdir(folder));
  const version = `..${process.hrtime.bigint()}`;
  for (const [name, bytes] of files) {
    const file = join(folder, version, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  await symlink(version, join(folder, "..data_tmp"));
  await rename(join(folder, "..data_tmp"), join(folder, "..data"));
  await linkAll(folder, new Set([...files.keys()].map((name) => name.split("/")[0] ?? "")));
  const old = [...before].filter((name) => name.startsWith("..") && name !== "..data");
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

async function linkAll(folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const name of names) {
    const link = join(folder, name);
    const there = await lstat(link).then(Boolean, () => false);
    if (!there) await symlink(join("..data", name), link);
  }
  const visible = (await readdir(folder)).filter((name) => !name.startsWith(".."));
  const gone = visible.filter((name) => !names.has(name));
  await Promise.all(gone.map((name) => rm(join(folder, name))));
}
