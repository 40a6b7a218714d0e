import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ImageProgram, ImagePrograms } from "@rookery/local";
import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import type { NamedPrograms } from "./kept-images.ts";
import {
  isKubernetesProgram,
  KubernetesBinaries,
  type KubernetesBinary,
} from "./kubernetes-binaries.ts";
import { compileCacheEnvironment, mainFile } from "./own-process.ts";

export interface ImageProgramOptions {
  readonly env: CommandIo["env"];
  /** Programs of further images, by their names with or without registry and tag; called each time. */
  readonly programs: () => NamedPrograms;
  /** Finds the file by which Node runs Rookery's image; that of this command where undefined. */
  readonly main?: () => Promise<string | undefined>;
}

/**
 * The programs that pods of an image run on this machine: this command for Rookery's image, installed
 * programs of the same version for those of Kubernetes, and programs that the user names.
 */
export function createImagePrograms(options: ImageProgramOptions) {
  const { env, programs, main = async () => undefined } = options;
  const binaries = new KubernetesBinaries(env);
  return {
    async programOf(image: string): Promise<ImageProgram | undefined> {
      const { name, tag } = parseImageName(image);
      const named = programs();
      const given = named[image] ?? named[name];
      if (given !== undefined) return programAt(given, name);
      if (name === "rookery") return rookeryProgram((await main()) ?? mainFile());
      if (!isKubernetesProgram(name)) return undefined;
      const found = binaries.find(name).find((binary) => isTagOf(binary, tag));
      return found && programAt(found.path, `${name}:${found.version}`);
    },
    get hint() {
      const known = ["rookery", ...Object.keys(programs()), binaries.describe()].filter(Boolean);
      return (
        "pods are processes here, and an image is the name of a program of this machine: " +
        `${known.join(", ")}; name another by "rookery local up --image name=/path/to/program"`
      );
    },
  } satisfies ImagePrograms;
}

/** The tags of etcd's images have a further number behind the version. */
function isTagOf({ version }: KubernetesBinary, tag: string | undefined): boolean {
  if (tag === undefined || tag === "latest") return true;
  const plain = tag.replace(/^v/, "").replaceAll("_", "+");
  return plain === version || (plain.startsWith(`${version}-`) && /-\d+$/.test(plain));
}

function programAt(path: string, name: string): ImageProgram {
  const folder = dirname(path);
  // Programs beside it are part of the image if everybody may read them, unlike those in a home.
  const files = isOpen(folder) ? [folder, path] : [path];
  return { entrypoint: [path], path: [folder], files, id: `${name}@${digestOf(path)}` };
}

function rookeryProgram(main: string): ImageProgram {
  const cache = compileCacheEnvironment();
  return {
    entrypoint: [process.execPath, main],
    env: { NODE_ENV: "production", ...cache },
    path: [dirname(process.execPath)],
    files: [process.execPath, programFolder(main), main],
    ...(cache.NODE_COMPILE_CACHE !== undefined && { cache: cache.NODE_COMPILE_CACHE }),
    id: `rookery@${digestOf(`${packageJson.version} ${main}`)}`,
  };
}

function isOpen(folder: string): boolean {
  return ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o005) === 0o005;
}

/** The folder of all files that it loads: the clone, or the folder of the bundle. */
function programFolder(main: string): string {
  return main.endsWith(".ts") ? resolve(dirname(main), "..", "..", "..") : dirname(main);
}

/** A digest of the program's path, in place of one of an image's content. */
function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** The parts of an image reference that identify its content. */
export interface ImageName {
  /** The last part of its path: "etcd" of "registry.k8s.io/etcd:3.6.8-0". */
  readonly name: string;
  /** Undefined for the latest. */
  readonly tag: string | undefined;
}

export function parseImageName(image: string): ImageName {
  const [tagged = ""] = image.split("@");
  const last = tagged.slice(tagged.lastIndexOf("/") + 1);
  const colon = last.indexOf(":");
  if (colon === -1) return { name: last, tag: undefined };
  return { name: last.slice(0, colon), tag: last.slice(colon + 1) };
}
