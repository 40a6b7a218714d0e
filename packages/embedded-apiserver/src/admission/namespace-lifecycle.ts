import type { Namespace } from "@rookery/api";
import type { AdmissionAttributes, AdmissionPlugin } from "@rookery/apiserver";
import { forbiddenError, notFoundError, statusError } from "@rookery/kube";
import type { Store } from "../store/store.ts";
import { refusal } from "./mutating.ts";

const protectedNamespaces = ["default", "kube-system", "kube-public"];
/** Reviews must not reveal whether a namespace exists. */
const accessReview = "localsubjectaccessreviews";

/** Rejects objects in missing or terminating namespaces, and deletions of system namespaces. */
export function createNamespaceLifecycle(store: Store): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    operations: ["CREATE", "UPDATE", "DELETE"],
    mutate: (attributes) => {
      assertNamespace(attributes, store);
      const { object } = attributes;
      if (object === undefined) throw new TypeError("a deletion has no object to change");
      return object;
    },
    validate: ({ operation, kind, resource, name }) => {
      const isNamespace = kind.group === "" && kind.kind === "Namespace";
      if (operation !== "DELETE" || !isNamespace || !protectedNamespaces.includes(name)) return;
      throw forbiddenError(resource, name, "this namespace may not be deleted");
    },
  };
}

function assertNamespace(attributes: AdmissionAttributes, store: Store): void {
  const { namespace: name, kind, resource, operation } = attributes;
  const isNamespace = kind.group === "" && kind.kind === "Namespace";
  if (name === "" || isNamespace || resource.resource === accessReview) return;
  const entry = store.get({ resource: "namespaces", namespace: "", name });
  if (entry === undefined) throw notFoundError({ group: "", resource: "namespaces" }, name);
  const { status } = entry.object as Namespace;
  if (operation === "CREATE" && status?.phase === "Terminating") throw terminating(attributes);
}

function terminating(attributes: AdmissionAttributes) {
  const { namespace } = attributes;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = refusal(attributes, why);
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  const { message = why, details } = status;
  return statusError({
    code: 403,
    reason: "Forbidden",
    message,
    details: { ...details, causes: [cause] },
  });
}
