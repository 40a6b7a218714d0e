import type { ConfigMap } from "@rookery/api";
import { builtInResources, deepEqual, type KubeObject } from "@rookery/kube";
import type { Controller } from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { createInNamespaces } from "./in-namespaces.ts";

const name = "kube-root-ca.crt";
const descriptionKey = "kubernetes.io/description";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Publishes the authority of the API server's certificate in every namespace. */
export function createRootCaPublisher(
  context: ControllerContext,
  rootCa: () => string,
): Controller {
  return createInNamespaces(
    {
      name: "root-ca-certificate-publisher",
      resource: builtInResources.configMaps,
      objectName: name,
      wanted: (namespace, current) => wantedIn(namespace, current, rootCa()),
    },
    context,
  );
}

function wantedIn(namespace: string, current: KubeObject | undefined, ca: string): KubeObject {
  const data = { "ca.crt": ca };
  const described = current?.metadata.annotations?.[descriptionKey];
  if (current && described && deepEqual((current as ConfigMap).data, data)) return current;
  const annotations = { ...current?.metadata.annotations, [descriptionKey]: description };
  const metadata = { ...(current?.metadata ?? { name, namespace }), annotations };
  return { apiVersion: "v1", kind: "ConfigMap", ...current, metadata, data } as KubeObject;
}
