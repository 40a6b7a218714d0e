import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { restrictedNamespace } from "@rookery/kube";
import { type KubernetesNode, type NodeOptions, startNode } from "@rookery/testing";
import { installManagement } from "./management.ts";
import { importNestedImages } from "./nested-images.ts";
import { Tenant } from "./tenant.ts";

/**
 * A node with Cluster API's core and our providers, images of control planes, folders for volumes, and a
 * namespace for tenants, which takes restricted pods alone.
 */
export class NestedNode implements AsyncDisposable {
  readonly node: KubernetesNode;
  readonly client: Client;
  readonly #stack: AsyncDisposableStack;

  static async start(options: Pick<NodeOptions, "syncSeconds"> = {}): Promise<NestedNode> {
    await using stack = new AsyncDisposableStack();
    const node = stack.use(await startNode({ dns: true, ...options }));
    const client = stack.use(createClient(await loadConfig({ path: node.kubeconfig })));
    await importNestedImages(node);
    await installManagement(node);
    const made = new NestedNode({ node, client }, stack.move());
    // Those of members and their claims that were replaced are not used again.
    await made.apply(
      ...(await Promise.all(Array.from({ length: 8 }, (_, at) => volume(node, at)))),
    );
    await made.apply(restrictedNamespace("team", {}));
    return made;
  }

  private constructor(
    { node, client }: { readonly node: KubernetesNode; readonly client: Client },
    stack: AsyncDisposableStack,
  ) {
    this.node = node;
    this.client = client;
    this.#stack = stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** A tenant in the namespace "team". */
  tenant(name: string): Tenant {
    return new Tenant({ kubernetes: this.node, client: this.client }, { namespace: "team", name });
  }

  async apply(...manifests: readonly object[]): Promise<void> {
    await this.node.kubectl(["apply", "--server-side", "--filename=-"], {
      stdin: manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n"),
    });
  }
}

/** There is no provisioner: volumes are folders of the node that are there before. */
async function volume(node: KubernetesNode, index: number): Promise<object> {
  const path = join(node.description.folder, "volumes", String(index));
  await mkdir(path, { recursive: true });
  // The kubelet leaves folders of the node as they are, whoever the pod runs as.
  await chmod(path, 0o777);
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `folder-${index}` },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: "",
      hostPath: { path, type: "Directory" },
    },
  };
}
