import {
  type CustomResourceDefinition,
  customResourceDefinitionOf,
  providerKinds,
} from "@rookery/api";
import { clusterctlCoreLabel, clusterctlGroup, clusterctlLabel } from "@rookery/cluster-api";
import { type KubeObject, smallNodeEnvironment } from "@rookery/kube";
import {
  leaseRules,
  type ManagerManifestOptions,
  managerManifests,
  validatingPath,
} from "@rookery/runtime";
import {
  configuration,
  createInstallation,
  type Installation,
  type InstallOptions,
  operatorVersion,
} from "./installation.ts";
import { operatorRules, personRoles } from "./rbac.ts";

/** The operator's own kinds, and clusterctl's record of what is installed. */
export function customResourceDefinitions({ labels }: Installation): readonly object[] {
  const own = providerKinds.map(customResourceDefinitionOf).map((definition) => ({
    ...definition,
    metadata: { ...definition.metadata, labels: { ...definition.metadata.labels, ...labels } },
  }));
  return [...own, clusterctlInventory];
}

const field = (description: string) => ({ type: "string", description }) as const;

/** Equal to clusterctl's own, which does not replace it. */
const clusterctlInventory: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: `providers.${clusterctlGroup}`,
    labels: { [clusterctlLabel]: "", [clusterctlCoreLabel]: "inventory" },
  },
  spec: {
    group: clusterctlGroup,
    names: {
      kind: "Provider",
      listKind: "ProviderList",
      plural: "providers",
      singular: "provider",
      categories: ["cluster-api"],
    },
    scope: "Namespaced",
    versions: [
      {
        name: "v1alpha3",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "A provider that is installed, as clusterctl records it.",
            properties: {
              apiVersion: { type: "string" },
              kind: { type: "string" },
              metadata: { type: "object" },
              providerName: field("The name of the provider, such as aws."),
              type: field("The kind of the provider, such as InfrastructureProvider."),
              version: field("The version that is installed."),
              watchedNamespace: field("The one namespace that is watched; all where empty."),
            },
          },
        },
        additionalPrinterColumns: [
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          { name: "Type", type: "string", jsonPath: ".type" },
          { name: "Provider", type: "string", jsonPath: ".providerName" },
          { name: "Version", type: "string", jsonPath: ".version" },
        ],
      },
    ],
  },
};

/** The objects of `renderOperator`. Errors: InstallError. */
export function operatorManifests(options: InstallOptions): readonly object[] {
  const installation = createInstallation(options);
  const { name, namespace, labels } = installation;
  const manager = managerManifests({
    ...operatorWorkload(installation),
    names: { namespace, manager: name, clusterRole: name, role: name, service: name },
    labels,
    rules: operatorRules(),
    // No rule for the certificate, because the operator may write all Secrets.
    namespaceRules: leaseRules(name),
    webhooks: () => [webhookConfiguration(installation)],
  });
  return [
    manager.namespace,
    ...customResourceDefinitions(installation),
    ...manager.access,
    ...personRoles(installation),
    manager.account,
    ...manager.workload,
    ...manager.webhooks,
  ];
}

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

type Workload = Omit<
  ManagerManifestOptions,
  "names" | "labels" | "rules" | "namespaceRules" | "webhooks"
>;

function operatorWorkload({ image, replicas, env, labels }: Installation): Workload {
  const { configMap, folder, file, authorities } = configuration;
  return {
    image,
    replicas,
    args: [
      "manager",
      "operator",
      "--leader-elect",
      `--image=${image}`,
      `--config=${file}`,
      `--fetch-ca-file=${authorities}`,
    ],
    servedPort: { name: "webhooks", number: 9443 },
    healthPort: "health",
    egress: forwardProxyPorts(env),
    env: { ...smallNodeEnvironment, ...env },
    deployment: { labels: { "app.kubernetes.io/version": operatorVersion } },
    pod: { affinity: spreadOverNodes(labels) },
    // Until API servers no longer call the webhooks of this pod.
    container: { lifecycle: { preStop: { sleep: { seconds: 5 } } } },
    mounts: [{ name: "configuration", folder, configMap }],
  };
}

function forwardProxyPorts(env: Installation["env"]): number[] {
  return ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].flatMap((name) => {
    const url = URL.parse(env[name] ?? "");
    return url ? [Number(url.port || (url.protocol === "https:" ? 443 : 80))] : [];
  });
}

function spreadOverNodes(matchLabels: Installation["labels"]): object {
  const podAffinityTerm = { labelSelector: { matchLabels }, topologyKey: "kubernetes.io/hostname" };
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 50, podAffinityTerm }],
    },
  };
}
