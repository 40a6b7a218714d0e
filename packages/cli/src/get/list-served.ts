import { type Client, NoMatchError } from "@rookery/client";
import { isNotFound, type KubeObject, type Resource } from "@rookery/kube";

interface ServedKind {
  readonly group: string;
  /** The one that the server prefers where absent. */
  readonly version?: string;
  readonly kind: string;
}

/** All objects of a kind, by namespace and name; none where it does not serve the kind. */
export async function listServed<T extends KubeObject>(
  client: Client,
  kind: ServedKind | Resource,
  namespace?: string,
): Promise<readonly T[]> {
  try {
    const resources = "plural" in kind ? client.resource<T>(kind) : await client.kind<T>(kind);
    const where = resources.resource.namespaced && namespace !== undefined ? { namespace } : {};
    const { items } = await resources.listAll(where);
    return items.toSorted(byPlace);
  } catch (error) {
    if (error instanceof NoMatchError || isNotFound(error)) return [];
    throw error;
  }
}

/** By namespace, then by name. */
export function byPlace(a: KubeObject, b: KubeObject): number {
  const [one, other] = [a, b].map(
    ({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name ?? ""}`,
  ) as [string, string];
  return one < other ? -1 : Number(one > other);
}
