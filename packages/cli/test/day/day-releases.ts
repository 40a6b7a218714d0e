import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { run } from "../run.ts";

/** The two releases that there are of each provider. */
export const dayVersions = ["v0.1.0", "v0.2.0"] as const;

const providers = [
  { command: "core", name: "rookery-core", type: "CoreProvider", label: "rookery-core" },
  {
    command: "vsphere",
    name: "vsphere",
    type: "InfrastructureProvider",
    label: "infrastructure-vsphere",
  },
];

/** Writes releases of Rookery's own providers and a configuration that names them, and returns its file. */
export async function writeDayReleases(home: string): Promise<string> {
  const configured = await Promise.all(providers.map((provider) => write(home, provider)));
  const folder = join(home, ".cluster-api");
  await mkdir(folder, { recursive: true });
  const file = join(folder, "clusterctl.yaml");
  await writeFile(file, stringify({ providers: configured }));
  return file;
}

async function write(home: string, { command, name, type, label }: (typeof providers)[number]) {
  const file = `${type === "CoreProvider" ? "core" : "infrastructure"}-components.yaml`;
  const { output: components } = await run(`install ${command} --file=${file}`);
  const releaseSeries = dayVersions.map((version) => {
    const [major, minor] = version.slice(1).split(".").map(Number);
    return { major, minor, contract: "v1beta2" };
  });
  const apiVersion = "clusterctl.cluster.x-k8s.io/v1alpha3";
  const metadata = stringify({ apiVersion, kind: "Metadata", releaseSeries });
  for (const version of dayVersions) {
    const folder = join(home, "releases", label, version);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, file), components);
    await writeFile(join(folder, "metadata.yaml"), metadata);
  }
  return { name, type, url: join(home, "releases", label, dayVersions[0], file) };
}
