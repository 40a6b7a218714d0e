import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Provider } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  createTemporaryFolder,
  type Kubernetes,
  PretendKubelet,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { parse, stringify } from "yaml";
import { Clusterctl } from "../../../operator/test/clusterctl.ts";
import { InstalledOperator } from "../../../operator/test/installed-operator.ts";
import { Administrator, type ProviderKey } from "../../../operator/test/running-operator.ts";
import { smallProvider } from "../../../operator/test/small-provider.ts";
import { type RunOptions, run } from "../run.ts";

/**
 * A cluster without a node, whose pods all run, and a folder with real releases of Cluster API and a
 * small infrastructure provider, with one configuration file for clusterctl and for the command.
 */
export class AdminCluster implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly client: Client;
  readonly administrator: Administrator;
  readonly clusterctl: Clusterctl;
  readonly folder: string;
  readonly #stack: AsyncDisposableStack;

  /** The versions of the small provider each have a contract. */
  static async start(
    versions: readonly string[],
    awsVersions: Readonly<Record<string, string>>,
  ): Promise<AdminCluster> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await createTemporaryFolder("admin")).path;
    const clusterctl = await Clusterctl.create("clusterctl", folder, versions);
    await writeAws(folder, awsVersions);
    const kubernetes = stack.use(await startKubernetes({ private: true }));
    const config = await loadConfig({ path: kubernetes.kubeconfig });
    const client = stack.use(createClient(config));
    stack.use(new PretendKubelet(client));
    return new AdminCluster({ kubernetes, client, clusterctl, folder }, stack.move());
  }

  private constructor(
    parts: Pick<AdminCluster, "kubernetes" | "client" | "clusterctl" | "folder">,
    stack: AsyncDisposableStack,
  ) {
    this.kubernetes = parts.kubernetes;
    this.client = parts.client;
    this.clusterctl = parts.clusterctl;
    this.folder = parts.folder;
    this.administrator = new Administrator(parts.client);
    this.#stack = stack;
  }

  get configFile(): string {
    return join(this.folder, "clusterctl.yaml");
  }

  /** Calls a command on this cluster with this configuration. */
  run(args: string, env: RunOptions["env"] = {}) {
    const config = /^(delete|shards)/.test(args) ? [] : [`--config=${this.configFile}`];
    const place = [`--kubeconfig=${this.kubernetes.kubeconfig}`, ...config];
    return run([...args.split(" "), ...place], { env: { HOME: this.folder, ...env } });
  }

  /** For commands that need no cluster. */
  runAlone(args: string) {
    return run([...args.split(" "), `--config=${this.configFile}`], { env: { HOME: this.folder } });
  }

  /** Stands in for the pods of the operator as soon as somebody has installed it; until the cluster ends. */
  async startOperator(): Promise<void> {
    await waitFor(() => this.#isInstalled(), {
      what: "the operator to be installed",
      timeout: 120_000,
    });
    const operator = await InstalledOperator.find(this.kubernetes);
    this.#stack.use(await operator.start());
  }

  get(kind: Provider["kind"], key: ProviderKey): Promise<Provider> {
    return this.administrator.get(kind, key);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async #isInstalled(): Promise<boolean> {
    const key = { namespace: "rookery-system", name: "rookery-operator" };
    const type = { group: "apps", kind: "Deployment" };
    return (await this.administrator.find(type, key)) !== undefined;
  }
}

/** A small provider that needs a variable, beside those of the configuration. */
async function writeAws(
  folder: string,
  contracts: Readonly<Record<string, string>>,
): Promise<void> {
  const args = [`--credentials=\${AWS_CREDENTIALS}`, `--region=\${AWS_REGION:=eu-west-1}`];
  const releaseSeries = Object.entries(contracts).map(([version, contract]) => {
    const [major, minor] = version.slice(1).split(".").map(Number);
    return { major, minor, contract };
  });
  const apiVersion = "clusterctl.cluster.x-k8s.io/v1alpha3";
  const metadata = stringify({ apiVersion, kind: "Metadata", releaseSeries });
  const file = "infrastructure-components.yaml";
  for (const version of Object.keys(contracts)) {
    const place = join(folder, "infrastructure-aws", version);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, file), smallProvider({ name: "aws", args }));
    await writeFile(join(place, "metadata.yaml"), metadata);
    await writeFile(join(place, "cluster-template.yaml"), `region: \${AWS_ZONE}\n`);
  }
  const certManager = await writeCertManager(folder);
  const configuration = join(folder, "clusterctl.yaml");
  const { providers } = parse(await readFile(configuration, "utf8"));
  const url = join(folder, "infrastructure-aws", Object.keys(contracts).at(-1) ?? "", file);
  const aws = { name: "aws", type: "InfrastructureProvider", url };
  await writeFile(
    configuration,
    stringify({ providers: [...providers, aws], "cert-manager": certManager }),
  );
}

/** Clusterctl lists the images of a cert-manager, too, and would look for it on the network. */
async function writeCertManager(folder: string): Promise<object> {
  const version = "v1.21.1";
  const place = join(folder, "cert-manager", version);
  const image = `example.com/cert-manager:${version}`;
  const spec = { template: { spec: { containers: [{ name: "manager", image }] } } };
  const metadata = { name: "cert-manager", namespace: "cert-manager" };
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata, spec };
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "cert-manager.yaml"), stringify(deployment));
  return { url: join(place, "cert-manager.yaml"), version };
}
