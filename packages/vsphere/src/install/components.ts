import {
  customResourceDefinitionOf,
  vsphereCluster,
  vsphereClusterIdentity,
  vsphereClusterTemplate,
  vsphereMachine,
  vsphereMachineTemplate,
  vsphereVm,
} from "@rookery/api";
import { managerManifests } from "@rookery/runtime";
import { validatingWebhookConfiguration } from "../webhooks/configuration.ts";
import { clusterRules, coreAccess, namespaceRules } from "./access.ts";
import { authorities, credentials, labels, names, optional } from "./names.ts";
import { userRoles } from "./user-roles.ts";

const kinds = [
  vsphereCluster,
  vsphereClusterIdentity,
  vsphereClusterTemplate,
  vsphereMachine,
  vsphereMachineTemplate,
  vsphereVm,
];

/** Everything that the provider consists of, in the order in which it can be applied. */
export function componentManifests(image: string): object[] {
  const { namespace, account, access, workload, webhooks } = manager(image);
  return [
    namespace,
    ...kinds.map(customResourceDefinitionOf),
    account,
    ...access,
    coreAccess(),
    ...userRoles(),
    ownCredentials(),
    ...workload,
    ...webhooks,
  ];
}

function manager(image: string) {
  return managerManifests({
    names,
    labels,
    podLabels: { ...labels, "control-plane": "controller-manager" },
    rules: clusterRules,
    namespaceRules,
    image,
    args: [
      "manager",
      "vsphere",
      "--leader-elect",
      `--credentials-dir=${credentials.folder}`,
      `--vcenter-server=${optional("VSPHERE_VCENTER_SERVERS")}`,
      `--vcenter-ca-file=${authorities.folder}/ca.crt`,
      `--webhook-configuration=${names.validatingConfiguration}`,
    ],
    // The manager renames its groups itself where an instance has some of its own: it needs no proxy.
    deployment: { annotations: { "management.cluster.x-k8s.io/group-flag": "api-group-suffix" } },
    // To log out of all vCenters.
    pod: { terminationGracePeriodSeconds: 45 },
    mounts: [
      { name: "credentials", folder: credentials.folder, secret: credentials.name },
      { name: "authorities", folder: authorities.folder, configMap: authorities.name },
    ],
    webhooks: (address) => [validatingWebhookConfiguration(names.validatingConfiguration, address)],
  });
}

/** The controller's own vCenter account; all of it may be left out. */
function ownCredentials(): object {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: names.namespace, labels, name: credentials.name },
    type: "Opaque",
    stringData: {
      username: optional("VSPHERE_USERNAME"),
      password: optional("VSPHERE_PASSWORD"),
      servers: optional("VSPHERE_SERVER"),
    },
  };
}
