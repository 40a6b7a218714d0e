import { execFileSync } from "node:child_process";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { CommandIo } from "../command.ts";
import { cacheFolder } from "./flags.ts";

type Environment = CommandIo["env"];

const programs = ["etcd", "kube-apiserver", "kube-controller-manager"] as const;
export type KubernetesProgram = (typeof programs)[number];

export interface KubernetesBinary {
  readonly program: KubernetesProgram;
  readonly path: string;
  /** Without a leading v: "1.34.4". */
  readonly version: string;
}

export function isKubernetesProgram(name: string): name is KubernetesProgram {
  return programs.some((program) => program === name);
}

/** Finds programs of Kubernetes on this machine. */
export class KubernetesBinaries {
  readonly #env: Environment;
  readonly #versions = new Map<string, string | undefined>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** All versions, in the order of the searched folders. */
  find(program: KubernetesProgram): KubernetesBinary[] {
    return searchedFolders(this.#env).flatMap((folder) => {
      const path = join(folder, program);
      const version = isExecutable(path) ? this.#versionOf(path) : undefined;
      return version === undefined ? [] : [{ program, path, version }];
    });
  }

  /** "etcd 3.6.8, kube-apiserver 1.34.4" */
  describe(): string {
    const found = programs.flatMap((program) => this.find(program));
    return [...new Set(found.map(({ program, version }) => `${program} ${version}`))].join(", ");
  }

  /** Cached by path and modification time. */
  #versionOf(path: string): string | undefined {
    const key = `${path} ${statSync(path).mtimeMs}`;
    if (!this.#versions.has(key)) this.#versions.set(key, askVersion(path));
    return this.#versions.get(key);
  }
}

/** KUBEBUILDER_ASSETS, the machine's cache of builds, then PATH. */
function searchedFolders(env: Environment): string[] {
  const cache = join(cacheFolder(env), "binaries");
  return [
    ...(env.KUBEBUILDER_ASSETS ? [env.KUBEBUILDER_ASSETS] : []),
    ...foldersIn(cache).map((name) => join(cache, name)),
    ...(env.PATH ?? "").split(delimiter).filter((folder) => folder !== ""),
  ];
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^v\d+\./.test(name))
      .toSorted()
      .toReversed();
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Parses "Kubernetes v1.34.4" or "etcd Version: 3.6.8". */
function askVersion(path: string): string | undefined {
  try {
    const text = execFileSync(path, ["--version"], { encoding: "utf8", timeout: 10_000 });
    return /(?:Kubernetes v|etcd Version: )(\S+)/.exec(text)?.[1];
  } catch {
    return undefined;
  }
}
