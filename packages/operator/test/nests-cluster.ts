import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImageProgram } from "@rookery/embedded-node";
import type { KubeObject, Resource } from "@rookery/kube";
import { createTemporaryFolder, processesOfPods } from "@rookery/testing";
import { pods, startProcessNode } from "./process-node.ts";
import { Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const image = "example.com/nests:v1";

export const nests: Resource = {
  group: "nests.example.com",
  version: "v1",
  plural: "nests",
  kind: "Nest",
  singular: "nest",
  namespaced: true,
};

const leases = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: nests-leader-election, namespace: nests-system}
rules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: nests-leader-election, namespace: nests-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: nests-leader-election}
subjects: [{kind: ServiceAccount, name: nests-manager, namespace: nests-system}]
`;

export interface NestsClusterOptions {
  /** Arguments of the managers. */
  readonly args: readonly string[];
  /** How long to wait for conditions, in milliseconds; as any Administrator where absent. */
  readonly patience?: number;
  /** What the API server writes down of requests. */
  readonly audit?: "Metadata";
}

/**
 * An operator with a provider whose managers really run, as processes that reconcile nests all the time
 * and write down who is at which.
 */
export class NestsCluster implements AsyncDisposable {
  readonly cluster: OperatorCluster;
  readonly admin: Administrator;
  /** For what a test needs. */
  readonly folder: string;
  /** Where reconciles are written down. */
  readonly log: string;
  readonly #args: readonly string[];
  readonly #stack: AsyncDisposableStack;

  static async start(options: NestsClusterOptions): Promise<NestsCluster> {
    await using stack = new AsyncDisposableStack();
    const { path: folder } = stack.use(await createTemporaryFolder("nests"));
    const fateOf = ([first]: readonly string[]) => (first === image ? "waits" : "runs");
    const { audit } = options;
    const cluster = stack.use(await OperatorCluster.start({ fateOf, ...(audit && { audit }) }));
    const { kubernetes, client } = cluster;
    const program = await managerProgram(folder);
    const images = {
      programOf: (wanted: string) => (wanted === image ? program : undefined),
      hint: `this node runs ${image}`,
    };
    stack.use(await startProcessNode({ kubernetes, client, images }));
    const started = new NestsCluster(options, { cluster, folder });
    await started.#installCore();
    started.#stack.use(stack.move());
    return started;
  }

  private constructor(
    { args, patience }: NestsClusterOptions,
    parts: Pick<NestsCluster, "cluster" | "folder">,
  ) {
    this.cluster = parts.cluster;
    this.folder = parts.folder;
    this.admin = new Administrator(parts.cluster.client, patience);
    this.log = join(parts.folder, "reconciles");
    this.#args = args;
    this.#stack = new AsyncDisposableStack();
  }

  /** Every provider needs a core. */
  async #installCore(): Promise<void> {
    const core = { namespace: "capi-system", name: "cluster-api" };
    const release = { name: core.name, version: "v1.0.0" };
    const components = smallProvider({ name: "core" });
    await this.admin.install("CoreProvider", core, { ...release, components });
  }

  /** A release for an instance, in which managers may have more arguments. */
  async offer(namespace: string, version: string, more: readonly string[] = []): Promise<void> {
    const args = [...this.#args, ...more];
    const options = { name: "nests", image, divisible: true, args, more: leases };
    await this.admin.makeNamespace(namespace);
    await this.admin.offer(namespace, {
      name: "nests",
      version,
      components: smallProvider(options),
    });
  }

  async makeNest(namespace: string, name: string): Promise<void> {
    const metadata = { namespace, name };
    await this.cluster.client
      .resource<KubeObject>(nests)
      .create({ apiVersion: "nests.example.com/v1", kind: "Nest", metadata });
  }

  /** Kills the managers of an instance without warning; their node starts them again. */
  async kill(namespace: string): Promise<void> {
    const { items } = await this.cluster.client.resource(pods).list({ namespace });
    const uids = items.map(({ metadata }) => metadata.uid);
    for (const pid of processesOfPods(uids)) process.kill(pid, "SIGKILL");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** The image's /manager, which writes its reconciles into a file in the folder. */
async function managerProgram(folder: string): Promise<ImageProgram> {
  const file = join(folder, "manager");
  const source = join(import.meta.dirname, "logging-manager.ts");
  const script = `#!/bin/sh\nexec "${process.execPath}" "${source}" "$@"\n`;
  await writeFile(file, script, { mode: 0o755 });
  const env = { RECONCILES: join(folder, "reconciles") };
  return { entrypoint: [file], path: [folder], env, id: image };
}
