import type { Resource } from "@rookery/kube";
import type { CustomResourceDefinition } from "@rookery/testing";

/** The kinds of tiny providers, which tests play themselves. */
export const testCluster = provided("infrastructure", "TestCluster");
export const testMachine = provided("infrastructure", "TestMachine");
export const testControlPlane = provided("controlplane", "TestControlPlane");
export const testConfig = provided("bootstrap", "TestConfig");

export const providerKinds = [testCluster, testMachine, testControlPlane, testConfig];

function provided(part: string, kind: string): Resource {
  const singular = kind.toLowerCase();
  const group = `${part}.cluster.x-k8s.io`;
  return { group, version: "v1", kind, plural: `${singular}s`, singular, namespaced: true };
}

/** A CRD that keeps whatever it is given, and abides by the newest contract. */
export function definitionOf({ group, version, kind, plural, singular }: Resource) {
  const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const definition: CustomResourceDefinition & { metadata: { labels: object } } = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, labels: { "cluster.x-k8s.io/v1beta2": version } },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: free, status: free } },
          },
        },
      ],
    },
  };
  return definition;
}
