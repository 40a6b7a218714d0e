import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runCommand } from "../process/command.ts";
import { cacheRoot } from "./cache.ts";
import { goModuleSource } from "./go-module.ts";
import { ensureGoProgram } from "./go-program.ts";
import { moduleFolder } from "./recipe.ts";

/** The versions of Cluster API that tests use: the first abides by v1beta1, the others by v1beta2. */
export const clusterApiVersions = ["v1.8.4", "v1.13.6", "v1.14.2"] as const;

/** The providers that Cluster API itself has, with their file and their place in its repository. */
export const clusterApiProviders = [
  { kind: "CoreProvider", name: "cluster-api", file: "core-components.yaml", place: "" },
  {
    kind: "BootstrapProvider",
    name: "kubeadm",
    file: "bootstrap-components.yaml",
    place: "bootstrap/kubeadm",
  },
  {
    kind: "ControlPlaneProvider",
    name: "kubeadm",
    file: "control-plane-components.yaml",
    place: "controlplane/kubeadm",
  },
] as const;

export type ClusterApiProvider = (typeof clusterApiProviders)[number];

/** The release of a provider. */
export interface ClusterApiRelease {
  readonly components: string;
  readonly metadata: string;
}

/**
 * The files that Cluster API releases for a provider, made from its source as its release does, once
 * for this machine. Throws UnavailableError.
 */
export async function clusterApiRelease(
  provider: ClusterApiProvider,
  version: string,
): Promise<ClusterApiRelease> {
  const source = await goModuleSource(`sigs.k8s.io/cluster-api@${version}`);
  const recipe = createHash("sha256").update(`${configOf}${withReleasedImage}`).digest("hex");
  const name = `cluster-api-${version}-${recipe.slice(0, 16)}-${provider.file}`;
  const path = await keep(name, async (staged) => {
    const kustomize = await ensureGoProgram(moduleFolder("kustomize"));
    const built = await runCommand(kustomize, ["build", await configOf(source, provider)]);
    await writeFile(staged, withReleasedImage(built, version));
  });
  const metadata = await readFile(join(source, "metadata.yaml"), "utf8");
  return { components: await readFile(path, "utf8"), metadata };
}

/** v1.14 has moved the core into a folder of its own. */
async function configOf(source: string, { place }: ClusterApiProvider): Promise<string> {
  const folder = join(source, place, "config/default");
  return (await isThere(folder)) ? folder : join(source, "core/config/default");
}

function withReleasedImage(components: string, version: string): string {
  const staging = /gcr\.io\/k8s-staging-cluster-api\/([\w-]+):main/g;
  return components.replace(staging, `registry.k8s.io/cluster-api/$1:${version}`);
}

/** A file of this machine's cache, made where it is not there; two that make it at once both win. */
async function keep(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(dirname(cacheRoot(process.env)), "components", name);
  if (await isThere(path)) return path;
  const staged = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await make(staged);
  await rename(staged, path);
  return path;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
