import { defaultSuffix } from "@rookery/group-suffix";
import { type ManagerManifests, managerManifests } from "@rookery/runtime";
import { clusterRules, furtherAccess, namespaceRules } from "./access.ts";
import { apiServices, customResourceDefinitions } from "./definitions.ts";
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

const securePort = { name: "https", number: 10_250 };

// API servers may send requests until they have seen that the pod is no endpoint any more.
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
      // Without the concierge nobody logs in: its pods are evicted last.
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
