import type { PolicyRule, RbacSubject } from "@rookery/api";
import type { Attributes, UserInfo } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";

const apiVersion = "rbac.authorization.k8s.io/v1";

/** A store in memory with these objects. */
export async function storeOf(...objects: readonly KubeObject[]): Promise<Store> {
  const store = await openStore({ folder: "" });
  for (const object of objects) await put(store, object);
  return store;
}

/** Writes an object, whatever is there. */
export async function put(store: Store, object: KubeObject): Promise<void> {
  const key = keyOf(object);
  await store.write({ ...key, expected: store.get(key)?.revision ?? 0, object });
}

export async function remove(store: Store, object: KubeObject): Promise<void> {
  const key = keyOf(object);
  await store.write({ ...key, expected: store.get(key)?.revision ?? 0, object: undefined });
}

function keyOf({ apiVersion: version, kind, metadata }: KubeObject) {
  const [group] = version.includes("/") ? version.split("/") : [""];
  const plural = `${kind.toLowerCase()}s`;
  const { namespace = "", name = "" } = metadata;
  return { resource: group ? `${plural}.${group}` : plural, namespace, name };
}

/** A Role where there is a namespace, else a ClusterRole. */
export function role(name: string, rules: readonly PolicyRule[], namespace = ""): KubeObject {
  const kind = namespace === "" ? "ClusterRole" : "Role";
  return { apiVersion, kind, metadata: metadataOf(name, namespace), rules } as KubeObject;
}

/** Binds "Kind/name" to subjects, in a namespace where there is one. */
export function binding(
  name: string,
  ref: string,
  { subjects, namespace = "" }: { subjects: readonly RbacSubject[]; namespace?: string },
): KubeObject {
  const [kind, roleName] = ref.split("/");
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind, name: roleName };
  const own = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const metadata = metadataOf(name, namespace);
  return { apiVersion, kind: own, metadata, roleRef, subjects } as KubeObject;
}

function metadataOf(name: string, namespace: string) {
  return { name, ...(namespace !== "" && { namespace }) };
}

export const jane: UserInfo = { name: "jane", groups: ["developers", "system:authenticated"] };

/** A question about a resource, as in "get pods", "create deployments.apps/scale x", or a path. */
export function asks(
  question: string,
  { user = jane, namespace = "" }: { user?: UserInfo; namespace?: string } = {},
): Attributes {
  const [verb = "", what = "", name = ""] = question.split(" ");
  const isResourceRequest = !what.startsWith("/");
  const [typed = "", subresource = ""] = isResourceRequest ? what.split("/") : [];
  const [resource = "", ...group] = typed.split(".");
  return {
    user,
    verb,
    isResourceRequest,
    resource,
    subresource,
    name,
    namespace,
    group: group.join("."),
    version: "v1",
    fieldSelector: "",
    labelSelector: "",
    path: isResourceRequest ? "" : what,
  };
}
