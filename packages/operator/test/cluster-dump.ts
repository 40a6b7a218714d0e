import type { Client } from "@rookery/client";
import { NoMatchError } from "@rookery/client";
import {
  type Component,
  componentKeyOf,
  componentKinds,
  formatComponentKey,
} from "@rookery/components";
import { waitFor } from "@rookery/testing";

/** Labels of everything that is installed for any provider, but for the kind of clusterctl's records. */
const labelSelector = "clusterctl.cluster.x-k8s.io,clusterctl.cluster.x-k8s.io/core!=inventory";

const instanceKinds = componentKinds.filter(({ stage }) => stage !== "namespace");

/** All components in a cluster but namespaces, which stay, by their keys, as far as they are the same whenever they are installed. */
export async function dumpComponents(client: Client): Promise<Readonly<Record<string, unknown>>> {
  return byKey(await listComponents(client), stable);
}

/** Which objects the components are, and how often their content was changed. */
export async function dumpIdentities(client: Client): Promise<Readonly<Record<string, unknown>>> {
  return byKey(await listComponents(client), ({ metadata }) => [metadata.uid, metadata.generation]);
}

/**
 * Waits until there are no components but those that stay: the garbage collector takes what the provider
 * owned.
 */
export async function componentsAreGone(
  client: Client,
  stays: (key: string) => boolean = () => false,
): Promise<void> {
  let left: readonly string[] = [];
  await waitFor(
    async () => {
      left = Object.keys(await dumpIdentities(client)).filter((key) => !stays(key));
      return left.length === 0;
    },
    {
      what: "all components to be gone",
      detail: () => `there are ${left.join(", ")}`,
      timeout: 300_000,
    },
  );
}

async function listComponents(client: Client): Promise<readonly Component[]> {
  const lists = await Promise.all(
    instanceKinds.map(async ({ group, kind }) => {
      const resource = await client.kind<Component>({ group, kind }).catch(undefinedWithoutMatch);
      return (await resource?.listAll({ labelSelector }))?.items ?? [];
    }),
  );
  return lists.flat();
}

function byKey(
  components: readonly Component[],
  read: (component: Component) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    components
      .map((one) => [formatComponentKey(componentKeyOf(one)), read(one)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const changing = new Set([
  "caBundle",
  "clusterIP",
  "clusterIPs",
  "creationTimestamp",
  "deployment.kubernetes.io/revision",
  "generation",
  "managedFields",
  "resourceVersion",
  "status",
  "uid",
]);

/** Without what every install has of its own: certificates, addresses, times. */
function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== "object" || value === null) return value;
  if ((value as Component).kind === "Secret") return { ...stableFields(value), data: undefined };
  return stableFields(value);
}

function stableFields(value: object): object {
  const fields = Object.entries(value).filter(([name]) => !changing.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, stable(field)]));
}

function undefinedWithoutMatch(error: unknown): undefined {
  if (!(error instanceof NoMatchError)) throw error;
}
