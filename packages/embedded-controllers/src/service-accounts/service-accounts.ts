import { builtInResources } from "@rookery/kube";
import type { Controller } from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { createInNamespaces } from "./in-namespaces.ts";

/** Gives every namespace the service account "default". */
export function createServiceAccountController(context: ControllerContext): Controller {
  return createInNamespaces(
    {
      name: "serviceaccount",
      resource: builtInResources.serviceAccounts,
      objectName: "default",
      wanted: (namespace, current) =>
        current ?? {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "default", namespace },
        },
    },
    context,
  );
}
