import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProviderFiles, ProviderIdentity } from "@rookery/components";
import { runCommand } from "@rookery/testing";
import { digest, goModule, goProgram, keep } from "./go-programs.ts";

export const releases = ["v1.8.4", "v1.13.6", "v1.14.2"] as const;

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
] as const satisfies readonly (ProviderIdentity & { file: string; place: string })[];

export type ClusterApiProvider = (typeof clusterApiProviders)[number];

/** The files that Cluster API releases for a provider, made from its source as its release does. */
export async function releaseFiles(
  provider: ClusterApiProvider,
  version: string,
): Promise<ProviderFiles> {
  const source = await goModule(`sigs.k8s.io/cluster-api@${version}`);
  const recipe = digest([configOf.toString(), withReleasedImage.toString()]);
  const path = await keep(`cluster-api-${version}-${recipe}-${provider.file}`, async (staged) => {
    const kustomize = await goProgram("kustomize");
    const built = await runCommand(kustomize, ["build", await configOf(source, provider)]);
    await writeFile(staged, withReleasedImage(built, version));
  });
  const metadata = await readFile(join(source, "metadata.yaml"), "utf8");
  return { components: await readFile(path, "utf8"), metadata };
}

/** v1.14 has moved the core into a folder of its own. */
async function configOf(source: string, { place }: ClusterApiProvider): Promise<string> {
  const folder = join(source, place, "config/default");
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  return isThere ? folder : join(source, "core/config/default");
}

function withReleasedImage(components: string, version: string): string {
  const staging = /gcr\.io\/k8s-staging-cluster-api\/([\w-]+):main/g;
  return components.replace(staging, `registry.k8s.io/cluster-api/$1:${version}`);
}
