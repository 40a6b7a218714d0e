import { createApiServer } from "@rookery/apiserver";
import { createClientOver } from "@rookery/client";
import { loadApiServer } from "@rookery/embedded-apiserver";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import { silentLogger } from "@rookery/runtime";

export type Api = Awaited<ReturnType<typeof startApi>>;

const networks = { podCidr: "127.64.0.0/16", serviceCidr: "127.96.0.0/16" };

/** An API server with the built-in kinds and a namespace, for Services with loopback addresses. */
export async function startApi(namespace: string) {
  const { groupsOf, openStore, servedBuiltInKinds } = await loadApiServer();
  const store = await openStore({ folder: "" });
  const now = () => new Date();
  const kinds = servedBuiltInKinds({ store, now, ...networks });
  const server = createApiServer({
    groups: groupsOf(kinds.map(({ kind, resource }) => ({ ...kind, resource }))),
    authenticate: () => ({ name: "admin", groups: ["system:masters"] }),
    authorize: () => ({ decision: "Allow" }),
    onError: (error) => {
      throw error;
    },
    now,
  });
  const client = createClientOver(server.handler);
  const create = (object: KubeObject, resource: Resource) =>
    client.resource(resource).create(object);
  const metadata = { name: namespace };
  await create({ apiVersion: "v1", kind: "Namespace", metadata }, builtInResources.namespaces);
  return {
    store,
    client,
    create,
    now,
    logger: silentLogger,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
