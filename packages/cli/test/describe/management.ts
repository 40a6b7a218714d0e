import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { customResourceDefinitions } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import {
  type CustomResourceDefinition,
  clusterApiCrds,
  clusterApiSource,
  clusterctlProgram,
  createTemporaryFolder,
  type Kubernetes,
  runCommand,
  startKubernetes,
} from "@rookery/testing";
import { parse } from "yaml";

/** Of the real kinds, those that the tests have objects of: each takes an API server some time. */
const usedKinds =
  /^(clusters|machines|machinesets|machinedeployments|machinepools|clusterresourcesetbindings|kubeadmcontrolplanes|kubeadmconfigs|kubeadmconfigtemplates)\./;
const infrastructure = "infrastructure.cluster.x-k8s.io";

/** What clusterctl and the real core take an API for that keeps to the contract. */
const contract = { "cluster.x-k8s.io/v1beta2": "v1beta2" };

export interface ManagementCluster extends AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly client: Client;
  /** What the real clusterctl prints. */
  readonly clusterctl: (args: readonly string[], input?: string) => Promise<string>;
  /** What it writes to its standard input. */
  readonly clusterctlInput: (args: readonly string[]) => Promise<string>;
  /** Serves some of Rookery's own kinds. */
  readonly serve: (kinds: readonly string[]) => Promise<void>;
  /** Serves a kind that takes anything. */
  readonly serveSmall: (kind: string, group: string) => Promise<void>;
  /** Creates the object with its status. */
  readonly make: (object: KubeObject & { readonly status?: unknown }) => Promise<KubeObject>;
}

/** A Kubernetes with the real kinds of Cluster API and small ones of an infrastructure. */
export async function startManagementCluster(): Promise<ManagementCluster> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("show"));
  const kubernetes = stack.use(await startKubernetes({ private: true, controllerManager: false }));
  const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
  const real = (await clusterApiCrds()).filter(({ metadata }) => usedKinds.test(metadata.name));
  const small = ["InfraCluster", "InfraMachine", "InfraMachineTemplate"].map((kind) =>
    smallKind(kind, infrastructure),
  );
  const crds = [...real.map(withContract), ...small, await inventoryCrd()];
  await Promise.all(crds.map((crd) => kubernetes.applyCrd(crd)));
  const owned = stack.move();
  return {
    kubernetes,
    client,
    clusterctl: (args, input) => runClusterctl(args, { kubernetes, folder: folder.path, input }),
    clusterctlInput: async (args) => {
      const file = join(folder.path, "input");
      await runClusterctl(args, { kubernetes, folder: folder.path, redirection: `0<>${file}` });
      return readFile(file, "utf8");
    },
    serve: async (kinds) => {
      const own = customResourceDefinitions().filter(({ spec }) => kinds.includes(spec.names.kind));
      await Promise.all(own.map((crd) => kubernetes.applyCrd(crd as CustomResourceDefinition)));
      client.mapper.reset();
    },
    serveSmall: async (kind, group) => {
      await kubernetes.applyCrd(smallKind(kind, group));
      // It would ask again only a second after it last did.
      client.mapper.reset();
    },
    make: (object) => make(client, object),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function make(
  client: Client,
  object: KubeObject & { readonly status?: unknown },
): Promise<KubeObject> {
  const resources = await client.kind<KubeObject>(object);
  const made = await resources.create(object);
  if (object.status === undefined) return made;
  return resources.status.update({ ...made, status: object.status } as KubeObject);
}

interface ClusterctlOptions {
  readonly kubernetes: Kubernetes;
  readonly folder: string;
  readonly input?: string | undefined;
  /** As a shell writes it. */
  readonly redirection?: string;
}

async function runClusterctl(
  args: readonly string[],
  { kubernetes, folder, input, redirection = "" }: ClusterctlOptions,
): Promise<string> {
  const settings = [
    "CLUSTERCTL_DISABLE_VERSIONCHECK=true",
    `HOME=${folder}`,
    `XDG_CONFIG_HOME=${folder}`,
    `KUBECONFIG=${kubernetes.kubeconfig}`,
  ].join(" ");
  const script = `${settings} exec ${await clusterctlProgram()} "$@" ${redirection}`;
  return runCommand("sh", ["-c", script, "clusterctl", ...args], {
    ...(input !== undefined && { stdin: input }),
  });
}

function withContract(crd: CustomResourceDefinition): CustomResourceDefinition {
  return { ...crd, metadata: { ...crd.metadata, labels: contract } as { name: string } };
}

function smallKind(kind: string, group: string): CustomResourceDefinition {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return withContract({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular },
      versions: [
        {
          name: "v1beta2",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } },
          },
        },
      ],
    },
  });
}

/** clusterctl's own record of what is installed, which it wants to see. */
async function inventoryCrd(): Promise<CustomResourceDefinition> {
  const folder = join(await clusterApiSource(), "cmd/clusterctl/config/crd/bases");
  const file = join(folder, "clusterctl.cluster.x-k8s.io_providers.yaml");
  return parse(await readFile(file, "utf8"));
}
