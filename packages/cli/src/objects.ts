import { type Client, NoMatchError } from "@rookery/client";
import {
  isForbidden,
  isNotFound,
  type KubeObject,
  type ObjectKey,
  type Resource,
} from "@rookery/kube";

/** The field manager of all objects that commands write. */
export const fieldManager = "rookery";

/** Applies objects one after the other, over fields of other managers. */
export async function applyManifests(client: Client, manifests: readonly object[]): Promise<void> {
  for (const manifest of manifests as readonly KubeObject[]) {
    const resource = await client.kind<KubeObject>(manifest);
    await resource.apply(manifest, { fieldManager, force: true });
  }
}

/** Undefined for an object that is missing, or whose kind the server does not serve. */
export function ignoreNotServed<T>(request: Promise<T>): Promise<T | undefined> {
  return ignore((error) => error instanceof NoMatchError || isNotFound(error), request);
}

/** Undefined for objects that the user may not read. */
export function ignoreForbidden<T>(request: Promise<T>): Promise<T | undefined> {
  return ignore(isForbidden, request);
}

async function ignore<T>(
  isIgnored: (error: unknown) => boolean,
  request: Promise<T>,
): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isIgnored(error)) return undefined;
    throw error;
  }
}

interface ServedKind {
  readonly group: string;
  /** The server's preferred version where absent. */
  readonly version?: string;
  readonly kind: string;
}

/** All objects of a kind, by namespace and name; empty where the server does not serve the kind. */
export async function listServed<T extends KubeObject>(
  client: Client,
  kind: ServedKind | Resource,
  namespace?: string,
): Promise<readonly T[]> {
  const list = async () => {
    const resources = "plural" in kind ? client.resource<T>(kind) : await client.kind<T>(kind);
    const where = resources.resource.namespaced && namespace !== undefined ? { namespace } : {};
    return (await resources.listAll(where)).items;
  };
  return ((await ignoreNotServed(list())) ?? []).toSorted(byPlace);
}

/** Orders objects by namespace, then by name. */
export function byPlace(a: KubeObject, b: KubeObject): number {
  const [one, other] = [a, b].map(
    ({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name ?? ""}`,
  ) as [string, string];
  return one < other ? -1 : Number(one > other);
}

export type NamespacedKey = Required<ObjectKey>;

export type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** The text of a key of a Secret; undefined where it has none. */
export function secretText({ data = {} }: Secret, key: string): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return value === undefined ? undefined : Buffer.from(value, "base64").toString("utf8");
}
