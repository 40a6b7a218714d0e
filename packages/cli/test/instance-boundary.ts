import assert from "node:assert/strict";
import { type Client, type ClientConfig, createClient, loadConfig } from "@rookery/client";
import { builtInResources, isForbidden, type KubeObject } from "@rookery/kube";

const infrastructure = "infrastructure.cluster.x-k8s.io";
const own = { namespace: "chinstrap-capv-system", name: "capv-controller-manager" };
const neighbour = { namespace: "adelie", name: "adelie" };
const { secrets, configMaps, namespaces } = builtInResources;

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token: string };
}

/** What the account of the instance on rung 2 may not do to the tenants of `npm start`. */
const attempts: Readonly<Record<string, (manager: Client) => Promise<unknown>>> = {
  "list all Secrets": (manager) => manager.resource(secrets).list(),
  "list all ConfigMaps": (manager) => manager.resource(configMaps).list(),
  "read the password of another tenant's identity": (manager) =>
    manager.resource(secrets).get({ namespace: "capv-system", name: "adelie" }),
  "read another instance's variables": (manager) =>
    manager.resource(secrets).get({ namespace: "gentoo-capv-system", name: "capv-variables" }),
  "list the Secrets of another tenant": (manager) =>
    manager.resource(secrets).list({ namespace: "emperor" }),
  "write into another tenant's namespace": (manager) =>
    manager.resource<KubeObject>(secrets).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: neighbour.namespace, name: "planted" },
    }),
  "change another tenant's cluster": async (manager) =>
    (await manager.kind<KubeObject>({ group: infrastructure, kind: "VSphereCluster" })).patch(
      neighbour,
      { type: "merge", patch: { spec: { server: "evil.example.com" } } },
    ),
  "open another tenant's identity to itself": async (manager) =>
    (
      await manager.kind<KubeObject>({ group: infrastructure, kind: "VSphereClusterIdentity" })
    ).patch(
      { name: neighbour.name },
      { type: "merge", patch: { spec: { allowedNamespaces: { list: ["chinstrap"] } } } },
    ),
  "label a namespace": (manager) =>
    manager
      .resource(namespaces)
      .patch({ name: "chinstrap" }, { type: "merge", patch: { metadata: { labels: { a: "b" } } } }),
};

/** Tries them with a token of the account; its own tenant's namespace it may read. */
export async function checkInstanceBoundary(kubeconfig: string): Promise<void> {
  const config = await loadConfig({ path: kubeconfig });
  const token = await tokenOf(config);
  await using manager = createClient({ ...config, user: { token } });
  await manager.resource(secrets).list({ namespace: "chinstrap" });
  for (const [what, attempt] of Object.entries(attempts)) {
    await assert.rejects(attempt(manager), isForbidden, what);
  }
}

async function tokenOf(config: ClientConfig): Promise<string> {
  await using client = createClient(config);
  const accounts = await client.kind<KubeObject>({ group: "", kind: "ServiceAccount" });
  const asked: TokenRequest = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: {},
    spec: { expirationSeconds: 3600 },
  };
  const { status } = await accounts.subresource<TokenRequest>("token").create(own, asked);
  return status?.token ?? "";
}
