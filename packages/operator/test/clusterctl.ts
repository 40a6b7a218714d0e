import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { providerLabel } from "@rookery/components";
import {
  clusterApiProviders,
  clusterApiRelease,
  clusterApiSource,
  clusterctlProgram,
  ensureGoProgram,
  goModuleSource,
  type Kubernetes,
  runCommand,
} from "@rookery/testing";
import { stringify } from "yaml";

/** The program of the version of Cluster API that is current, or of the one that abides by v1beta1. */
export type ClusterctlProgram = keyof typeof programs;

const programs = {
  clusterctl: () => clusterctlProgram(),
  "old-clusterctl": () => ensureGoProgram(join(import.meta.dirname, "go", "old-clusterctl")),
};

/** The real clusterctl, built by Go, on a repository of files: it needs no network. */
export class Clusterctl {
  readonly #program: string;
  readonly #folder: string;

  /** Puts releases of Cluster API into a folder, where this clusterctl finds them, with more settings. */
  static async create(
    program: ClusterctlProgram,
    folder: string,
    versions: readonly string[],
    settings: object = {},
  ): Promise<Clusterctl> {
    for (const version of versions) await writeRelease(folder, version);
    await writeFile(
      join(folder, "clusterctl.yaml"),
      configuration(folder, versions.at(-1) ?? "", settings),
    );
    return new Clusterctl(await programs[program](), folder);
  }

  private constructor(program: string, folder: string) {
    this.#program = program;
    this.#folder = folder;
  }

  /** Runs a command of it on a cluster, and returns what it says. */
  async run(kubernetes: Kubernetes, args: readonly string[]): Promise<string> {
    const all = ["-c", this.line, "clusterctl", ...args, "--kubeconfig", kubernetes.kubeconfig];
    return runCommand("sh", all);
  }

  /** How a shell calls it with its own arguments; it looks for no newer version of itself. */
  get line(): string {
    const settings = `CLUSTERCTL_DISABLE_VERSIONCHECK=true HOME=${this.#folder}`;
    const config = join(this.#folder, "clusterctl.yaml");
    return `${settings} exec ${this.#program} "$@" --config ${config}`;
  }
}

async function writeRelease(folder: string, version: string): Promise<void> {
  for (const provider of clusterApiProviders) {
    const place = join(folder, providerLabel(provider), version);
    const { components, metadata } = await clusterApiRelease(provider, version);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, provider.file), components);
    await writeFile(join(place, "metadata.yaml"), metadata);
  }
}

function configuration(folder: string, version: string, settings: object): string {
  const providers = clusterApiProviders.map((provider) => ({
    name: provider.name,
    type: provider.kind,
    url: join(folder, providerLabel(provider), version, provider.file),
  }));
  return stringify({ ...settings, providers });
}

/** The kind in which clusterctl keeps what is installed, as Cluster API has it. */
export async function applyInventoryCrd(kubernetes: Kubernetes): Promise<void> {
  const folder = join(await clusterApiSource(), "cmd/clusterctl/config/crd/bases");
  const stdin = await readFile(join(folder, "clusterctl.cluster.x-k8s.io_providers.yaml"), "utf8");
  await kubernetes.kubectl(["apply", "--server-side", "-f", "-"], { stdin });
}

/** The CRDs of cert-manager: with them, clusterctl takes it for installed. */
export async function applyCertManager(kubernetes: Kubernetes): Promise<void> {
  const source = await goModuleSource("github.com/cert-manager/cert-manager@v1.21.0");
  const folder = join(source, "deploy/crds");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml"));
  for (const file of files) {
    const stdin = await readFile(join(folder, file), "utf8");
    await kubernetes.kubectl(["apply", "--server-side", "-f", "-"], { stdin });
  }
}
