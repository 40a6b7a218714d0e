import {
  type Authorizer,
  createApiServer,
  type ServedGroup,
  type UserInfo,
} from "@rookery/apiserver";
import { type Client, createClientOver } from "@rookery/client";
import { loadApiServer, type Store } from "@rookery/embedded-apiserver";
import { deepEqual, type KubeObject, type Resource } from "@rookery/kube";
import { silentLogger } from "@rookery/runtime";
import type { ControllerContext } from "../src/context/context.ts";

/** An API server with the built-in kinds, without a socket. */
export interface Cluster extends AsyncDisposable {
  readonly store: Store;
  readonly client: Client;
  readonly context: ControllerContext;
  /** Serves one kind more. */
  serve(resource: Resource): Promise<void>;
  create(object: KubeObject, resource: Resource): Promise<KubeObject>;
}

export async function startCluster(
  now: () => Date = () => new Date(),
  user: UserInfo = { name: "admin", groups: ["system:masters"] },
  networks: { readonly podCidr?: string; readonly serviceCidr?: string } = {},
): Promise<Cluster> {
  const { builtInAdmission, createRuleResolver, groupsOf, openStore, servedBuiltInKinds } =
    await loadApiServer();
  const authorize: Authorizer = () => ({ decision: "Allow" });
  const store = await openStore({ folder: "" });
  const kinds = servedBuiltInKinds({ store, now, serviceCidr: "10.96.0.0/16", ...networks });
  let groups = groupsOf(kinds.map(({ kind, resource }) => ({ ...kind, resource })));
  const server = createApiServer({
    groups,
    authenticate: () => user,
    authorize,
    admission: builtInAdmission({ store, authorize, resolver: createRuleResolver(store) }),
    onError: (error) => {
      throw error;
    },
    now,
  });
  const client = createClientOver(server.handler);
  return {
    store,
    client,
    context: { store, client, now, groups: () => groups, logger: silentLogger },
    async serve(resource) {
      groups = [...groups, await customGroup(resource, store, now)];
      server.setGroups(groups);
    },
    create: (object, resource) => client.resource(resource).create(object),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function customGroup(
  resource: Resource,
  store: Store,
  now: () => Date,
): Promise<ServedGroup> {
  const { createStorage, createStrategy } = await loadApiServer();
  const { group, version, kind, plural, singular, namespaced } = resource;
  const apiVersion = `${group}/${version}`;
  const options = {
    store,
    now,
    namespaced,
    kind,
    apiVersion,
    storageApiVersion: apiVersion,
    resource: { group, resource: plural },
    listKind: `${kind}List`,
    rules: {
      dialect: "custom" as const,
      isNewGeneration: (a: KubeObject, b: KubeObject) => !deepEqual(a.spec, b.spec),
      storagePrefix: `/registry/${group}/${plural}`,
    },
  };
  const served = {
    kind,
    plural,
    singular,
    namespaced,
    dialect: "custom" as const,
    supportsDryRun: true,
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    handlers: createStorage(options),
    strategy: createStrategy(options),
  } as const;
  return { name: group, versions: [{ name: version, resources: [served] }] };
}
