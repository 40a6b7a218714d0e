import { type Authorizer, createApiServer, type UserInfo } from "@rookery/apiserver";
import { createClientOver } from "@rookery/client";
import { isNotFound, type KubeObject, type ObjectKey, type Resource } from "@rookery/kube";
import { silentLogger } from "@rookery/runtime";
import { waitFor } from "@rookery/testing";
import { builtInAdmission } from "../../src/admission/built-in-admission.ts";
import { createRuleResolver } from "../../src/rbac/rule-resolver.ts";
import { groupsOf, servedBuiltInKinds } from "../../src/server/built-in-groups.ts";
import { openStore } from "../../src/store/open-store.ts";

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const user: UserInfo = { name: "admin", groups: ["system:masters"] };
const authorize: Authorizer = () => ({ decision: "Allow" });

/** An API server with the built-in kinds, without a socket. */
export async function startCluster(
  now: () => Date = () => new Date(),
  networks: { readonly podCidr?: string; readonly serviceCidr?: string } = {},
) {
  const store = await openStore({ folder: "" });
  const kinds = servedBuiltInKinds({ store, now, serviceCidr: "10.96.0.0/16", ...networks });
  const server = createApiServer({
    groups: groupsOf(kinds.map(({ kind, resource }) => ({ ...kind, resource }))),
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
    context: { store, client, now, logger: silentLogger },
    create: (object: KubeObject, resource: Resource) => client.resource(resource).create(object),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

export function namespaceOf(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

/** Undefined where there is none. */
export async function find({ client }: Cluster, resource: Resource, key: ObjectKey) {
  try {
    return await client.resource(resource).get(key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export const appears = (cluster: Cluster, resource: Resource, key: ObjectKey) =>
  waitFor(() => find(cluster, resource, key), { what: `${resource.plural} ${key.name}` });
