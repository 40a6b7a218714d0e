import { providerKinds } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { validatingPath } from "@rookery/runtime";
import type { Installation } from "./installation.ts";

const version = "v1alpha1";

type Configuration = Omit<KubeObject, "spec" | "status"> & {
  readonly webhooks: readonly { readonly name: string }[];
};

/** Without a caBundle, which the operator injects. */
export function webhookConfiguration({ name, namespace }: Installation): Configuration {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name },
    webhooks: providerKinds.map(({ group, kind, plural }) => ({
      name: `${plural}.${group}`,
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      timeoutSeconds: 10,
      clientConfig: {
        service: { name, namespace, port: 443, path: validatingPath({ group, version, kind }) },
      },
      rules: [
        {
          apiGroups: [group],
          apiVersions: [version],
          operations: ["CREATE", "UPDATE"],
          resources: [plural],
          scope: "Namespaced",
        },
      ],
    })),
  };
}
