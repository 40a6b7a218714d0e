import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  type Component,
  componentKeyOf,
  parseComponents,
  renderComponents,
  replaceVariables,
} from "@rookery/components";
import { hasConditionStatus, type KubeObject, type Resource } from "@rookery/kube";
import {
  clusterApiProviders,
  clusterApiRelease,
  type Kubernetes,
  PretendKubelet,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { keyOf } from "../../test/cluster-api-cluster.ts";
import { applyCertManager } from "../../test/clusterctl.ts";
import { serverAtRest } from "./server-at-rest.ts";
import { version } from "./version.ts";

/**
 * The least that an install takes on this machine: the same objects, applied by bare requests, all at
 * once but for CRDs, which have to be established first. No operator can be faster, only the server.
 */
export async function measureFloor(): Promise<number> {
  await using kubernetes = await startKubernetes({ private: true, audit: "Metadata" });
  await using client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  await using _ = new PretendKubelet(client);
  await applyCertManager(kubernetes);
  const components = (await Promise.all(clusterApiProviders.map(rendered))).flat();
  await createNamespaces(kubernetes);
  const isDefinition = ({ kind }: Component) => kind === "CustomResourceDefinition";

  await serverAtRest(kubernetes);
  const begun = performance.now();
  const definitions = components.filter(isDefinition);
  await applyAll(definitions, client);
  await waitForAll(definitions, "Established", client);
  const others = components.filter((one) => !isDefinition(one));
  await applyAll(others, client);
  const deployments = others.filter(({ kind }) => kind === "Deployment");
  await waitForAll(deployments, "Available", client);
  return performance.now() - begun;
}

async function createNamespaces(kubernetes: Kubernetes): Promise<void> {
  for (const provider of clusterApiProviders) {
    await kubernetes.kubectl(["create", "namespace", keyOf(provider).namespace]);
  }
}

async function rendered(provider: (typeof clusterApiProviders)[number]) {
  const { components } = await clusterApiRelease(provider, version);
  const { namespace } = keyOf(provider);
  return renderComponents({
    provider,
    version,
    namespace,
    components: parseComponents(replaceVariables(components, () => undefined)),
    spec: {},
  }).components;
}

async function applyAll(components: readonly Component[], client: Client): Promise<void> {
  await Promise.all(
    components.map(async (component) => {
      const resource = client.resource<KubeObject>(await resourceOf(component, client));
      await resource.apply(component, { fieldManager: "floor", force: true });
    }),
  );
}

function resourceOf(component: Component, { mapper }: Client): Promise<Resource> {
  return mapper.resourceForKind(componentKeyOf(component));
}

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: Parameters<typeof hasConditionStatus>[0] };
}

async function waitForAll(
  components: readonly Component[],
  condition: string,
  client: Client,
): Promise<void> {
  const [first] = components;
  if (first === undefined) return;
  const resource = client.resource<Conditioned>(await resourceOf(first, client));
  const names = new Set(components.map(({ metadata }) => metadata.name));
  await waitFor(
    async () => {
      const { items } = await resource.list();
      const met = items.filter(
        ({ metadata, status }) =>
          names.has(metadata.name) &&
          hasConditionStatus(status?.conditions ?? [], condition, "True"),
      );
      return met.length >= components.length;
    },
    { what: `${components.length} to be ${condition}`, timeout: 120_000 },
  );
}
