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
  /** Further images, by their names, with or without a registry and a tag; asked each time. */
  readonly programs: () => NamedPrograms;
  /** Finds the file by which Node runs Rookery's own image; that of this command where there is none. */
  readonly main?: () => Promise<string | undefined>;
}

/**
 * What images of pods stand for on this machine: Rookery's own is this command, those of Kubernetes
 * are the programs that are at hand in that version, and others are what the user says.
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

/** Tags of etcd's images have a number of their own behind the version. */
function isTagOf({ version }: KubernetesBinary, tag: string | undefined): boolean {
  if (tag === undefined || tag === "latest") return true;
  const plain = tag.replace(/^v/, "").replaceAll("_", "+");
  return plain === version || (plain.startsWith(`${version}-`) && /-\d+$/.test(plain));
}

function programAt(path: string, name: string): ImageProgram {
  const folder = dirname(path);
  // Programs beside it are part of the image where everybody may read them, and so not those of a home.
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

/** All that the file loads: of a clone's sources that is the clone, of a bundle the folder that it is in. */
function programFolder(main: string): string {
  return main.endsWith(".ts") ? resolve(dirname(main), "..", "..", "..") : dirname(main);
}

/** Of what stands for the image: there is no content that could be summed up. */
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
