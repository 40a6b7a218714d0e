import {
  credentialIssuer,
  customResourceDefinitionOf,
  jwtAuthenticator,
  webhookAuthenticator,
} from "@rookery/api";
import { defaultSuffix } from "@rookery/group-suffix";
import { type ManagerManifests, managerManifests } from "@rookery/runtime";
import { identityGroup, loginGroup } from "../names.ts";
import { clusterRules, furtherAccess, namespaceRules } from "./access.ts";
import { createInstance, type InstallOptions, type Instance } from "./instance.ts";

/** See `renderConcierge`. Errors: InstallError. */
export function conciergeManifests(options: InstallOptions): readonly object[] {
  const instance = createInstance(options);
  const { namespace, account, access, workload } = manager(instance);
  return [
    namespace,
    ...customResourceDefinitions(instance),
    ...access,
    ...furtherAccess(instance),
    account,
    ...workload,
    ...apiServices(instance),
  ];
}

/** The CustomResourceDefinitions under the groups of the instance. */
function customResourceDefinitions(instance: Instance): object[] {
  return [credentialIssuer, jwtAuthenticator, webhookAuthenticator]
    .map(customResourceDefinitionOf)
    .map((definition) => {
      const group = instance.group(definition.spec.group);
      return {
        ...definition,
        metadata: {
          ...definition.metadata,
          name: `${definition.spec.names.plural}.${group}`,
          labels: { ...definition.metadata.labels, ...instance.labels },
        },
        spec: { ...definition.spec, group },
      };
    });
}

/** Without a caBundle, which the concierge writes and renews. */
function apiServices(instance: Instance): object[] {
  const { labels, name, namespace } = instance;
  return [loginGroup, identityGroup].map((defaultGroup) => {
    const group = instance.group(defaultGroup);
    return {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: `v1alpha1.${group}`, labels },
      spec: {
        group,
        version: "v1alpha1",
        groupPriorityMinimum: 9900,
        versionPriority: 15,
        service: { name, namespace, port: 443 },
      },
    };
  });
}

const securePort = { name: "https", number: 10_250 };

// API servers send requests until they know that the pod is no longer an endpoint.
const lifecycle = { preStop: { sleep: { seconds: 5 } } };
const container = { name: "concierge", lifecycle };

function manager(instance: Instance): ManagerManifests {
  const { name, namespace, clusterName, labels, image, replicas } = instance;
  return managerManifests({
    names: { namespace, manager: name, clusterRole: clusterName, role: name, service: name },
    labels,
    rules: clusterRules(instance),
    namespaceRules: namespaceRules(instance),
    image,
    replicas,
    args: ["manager", "concierge", ...managerArguments(instance)],
    servedPort: securePort,
    healthPort: "health",
    env: {},
    pod: {
      // Nobody can log in without the concierge: its pods are evicted last.
      priorityClassName: "system-cluster-critical",
      affinity: spreadOverNodes(labels),
    },
    container,
  });
}

function spreadOverNodes(matchLabels: Instance["labels"]): object {
  const spread = { labelSelector: { matchLabels }, topologyKey: "kubernetes.io/hostname" };
  return {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 50, podAffinityTerm: spread }],
    },
  };
}

function managerArguments({ name, suffix, signingSecret }: Instance): string[] {
  return [
    "--leader-elect",
    `--service=${name}`,
    `--secure-port=${securePort.number}`,
    ...(suffix === defaultSuffix ? [] : [`--api-group-suffix=${suffix}`]),
    ...(signingSecret === undefined ? [] : [`--signing-secret=${signingSecret}`]),
  ];
}
