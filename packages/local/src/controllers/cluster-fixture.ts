import {
  type Authorizer,
  createApiServer,
  type ServedGroup,
  type UserInfo,
} from "@rookery/apiserver";
import { type Client, createClientOver } from "@rookery/client";
import { deepEqual, type KubeObject, type Resource } from "@rookery/kube";
import { silentLogger } from "@rookery/runtime";
import { builtInAdmission } from "../admission/built-in-admission.ts";
import { appsKinds } from "../kinds/apps/index.ts";
import { batchKinds } from "../kinds/batch/index.ts";
import { certificatesKinds } from "../kinds/certificates/index.ts";
import { coreKinds } from "../kinds/core/index.ts";
import { discoveryKinds } from "../kinds/discovery/index.ts";
import { eventsKinds } from "../kinds/events/index.ts";
import type { BuiltInKind } from "../kinds/kind.ts";
import { policyKinds } from "../kinds/policy/index.ts";
import { rbacKinds } from "../kinds/rbac/index.ts";
import { schedulingKinds } from "../kinds/scheduling/index.ts";
import { storageKinds } from "../kinds/storage/index.ts";
import { createBuiltInFieldManager } from "../managed-fields/built-in-field-manager.ts";
import { createRuleResolver } from "../rbac/rule-resolver.ts";
import { servedKind } from "../registry/served-kind.ts";
import { createStorage } from "../registry/storage.ts";
import { createStrategy } from "../registry/strategy.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { patchSchemaOf } from "../types/patch-schema.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import type { ControllerContext } from "./context.ts";

/** An API server with the kinds that controllers work on, without a socket. */
export interface Cluster extends AsyncDisposable {
  readonly store: Store;
  readonly client: Client;
  readonly context: ControllerContext;
  /** Serves one kind more. */
  serve(resource: Resource): void;
  create(object: KubeObject, resource: Resource): Promise<KubeObject>;
}

export async function startCluster(
  now: () => Date = () => new Date(),
  user: UserInfo = { name: "admin", groups: ["system:masters"] },
  networks: { readonly podCidr?: string; readonly serviceCidr?: string } = {},
): Promise<Cluster> {
  const authorize: Authorizer = () => ({ decision: "Allow" });
  const store = await openStore({ folder: "" });
  const kinds = [
    ...coreKinds({ store, now, serviceCidr: "10.96.0.0/16", ...networks }),
    ...[
      ...appsKinds,
      ...batchKinds,
      ...eventsKinds,
      ...discoveryKinds(networks),
      ...policyKinds,
      ...storageKinds,
      ...schedulingKinds,
      ...rbacKinds,
      ...certificatesKinds({ now }),
    ],
  ] as unknown as readonly BuiltInKind[];
  let groups = groupsOf(kinds, store, now);
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
    serve(resource) {
      groups = [...groups, customGroup(resource, store, now)];
      server.setGroups(groups);
    },
    create: (object, resource) => client.resource(resource).create(object),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function groupsOf(kinds: readonly BuiltInKind[], store: Store, now: () => Date): ServedGroup[] {
  const context = {
    ...{ store, now, patchSchemaOf },
    decoderOf: typedDecoder,
    fieldManagerOf: createBuiltInFieldManager,
  };
  const names = [...new Set(kinds.map(({ group }) => group))];
  return names.map((name) => {
    const resources = kinds
      .filter(({ group }) => group === name)
      .map((kind) => servedKind(kind, context));
    return { name, versions: [{ name: "v1", resources }] };
  });
}

function customGroup(resource: Resource, store: Store, now: () => Date): ServedGroup {
  const { group, version, kind, plural, singular, namespaced } = resource;
  const apiVersion = `${group}/${version}`;
  const options = {
    ...{ store, now, namespaced, kind, apiVersion, storageApiVersion: apiVersion },
    resource: { group, resource: plural },
    listKind: `${kind}List`,
    rules: {
      dialect: "custom" as const,
      isNewGeneration: (a: KubeObject, b: KubeObject) => !deepEqual(a.spec, b.spec),
      storagePrefix: `/registry/${group}/${plural}`,
    },
  };
  const served = {
    ...{ kind, plural, singular, namespaced, dialect: "custom" as const, supportsDryRun: true },
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    handlers: createStorage(options),
    strategy: createStrategy(options),
  } as const;
  return { name: group, versions: [{ name: version, resources: [served] }] };
}
