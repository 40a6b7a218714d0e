import { type Client, NoMatchError } from "@rookery/client";
import { isNotFound, type KubeObject, type ObjectKey } from "@rookery/kube";

type ApiServer = KubeObject<{ readonly storage?: object }>;

const defaultClass = "storageclass.kubernetes.io/is-default-class";

/**
 * Where a light tenant keeps its data: as it does already, else on a volume where the cluster makes one,
 * which is undefined; else in its pod.
 */
export async function lightStorage(client: Client, key: ObjectKey): Promise<object | undefined> {
  const known = await findApiServer(client, key);
  if (known) return known.spec?.storage;
  const classes = await client.kind<KubeObject>({ group: "storage.k8s.io", kind: "StorageClass" });
  const { items } = await classes.list();
  const hasDefault = items.some(({ metadata }) => metadata.annotations?.[defaultClass] === "true");
  return hasDefault ? undefined : { type: "EmptyDir" };
}

async function findApiServer(client: Client, key: ObjectKey): Promise<ApiServer | undefined> {
  try {
    const kind = { group: "controlplane.cluster.x-k8s.io", kind: "NestedAPIServer" };
    return await (await client.kind<ApiServer>(kind)).get(key);
  } catch (error) {
    if (error instanceof NoMatchError || isNotFound(error)) return undefined;
    throw error;
  }
}
