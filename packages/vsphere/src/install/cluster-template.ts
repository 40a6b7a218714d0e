import {
  bootstrapGroup,
  clusterApiGroup,
  clusterNameLabel,
  controlPlaneGroup,
  infrastructureGroup,
} from "@rookery/cluster-api";
import { names, variable } from "./names.ts";

const name = variable("CLUSTER_NAME");
const namespace = variable("NAMESPACE");
const server = variable("VSPHERE_SERVER");
const workers = `${name}-md-0`;
const version = variable("KUBERNETES_VERSION");
const account = { username: variable("VSPHERE_USERNAME"), password: variable("VSPHERE_PASSWORD") };

/** A cluster whose account is in a Secret of its own, beside it. */
export function clusterTemplate(): object[] {
  // Beside the manager a Secret is that of a cluster by its label alone.
  const labels = { [clusterNameLabel]: name };
  const own = secret({ name, namespace, labels });
  return [own, ...cluster({ kind: "Secret", name }, true), ...machines()];
}

/**
 * A cluster, and an identity that it uses: for who may make identities. It is for one namespace and
 * one vCenter; without allowedServers its password could be sent anywhere.
 */
export function clusterTemplateWithIdentity(): object[] {
  const identity = `${namespace}-${name}`;
  return [
    secret({ name: identity, namespace: variable("CREDENTIALS_NAMESPACE", names.namespace) }),
    {
      apiVersion: `${infrastructureGroup}/v1beta1`,
      kind: "VSphereClusterIdentity",
      metadata: { name: identity },
      spec: {
        secretName: identity,
        allowedNamespaces: { list: [namespace] },
        allowedServers: [server],
      },
    },
    ...cluster({ kind: "VSphereClusterIdentity", name: identity }, true),
    ...machines(),
  ];
}

/** Infrastructure alone, with an identity that is there: for a plane where nothing bootstraps machines. */
export function clusterTemplateWithoutMachines(): object[] {
  return cluster({ kind: "VSphereClusterIdentity", name: variable("VSPHERE_IDENTITY") }, false);
}

function secret(metadata: {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: object;
}): object {
  return { apiVersion: "v1", kind: "Secret", metadata, stringData: account };
}

function cluster(
  identityRef: { readonly kind: string; readonly name: string },
  hasMachines: boolean,
): object[] {
  const controlPlaneRef = reference(controlPlaneGroup, "KubeadmControlPlane", name);
  return [
    object(clusterApiGroup, "Cluster", {
      clusterNetwork: { pods: { cidrBlocks: ["192.168.0.0/16"] } },
      ...(hasMachines && { controlPlaneRef }),
      infrastructureRef: reference(infrastructureGroup, "VSphereCluster", name),
    }),
    object(infrastructureGroup, "VSphereCluster", {
      server,
      thumbprint: variable("VSPHERE_TLS_THUMBPRINT", '""'),
      controlPlaneEndpoint: {
        host: variable("CONTROL_PLANE_ENDPOINT_IP"),
        port: variable("CONTROL_PLANE_ENDPOINT_PORT", 6443),
      },
      identityRef,
    }),
  ];
}

function machines(): object[] {
  const template = (of: string) => reference(infrastructureGroup, "VSphereMachineTemplate", of);
  return [
    machineTemplate(name),
    object(controlPlaneGroup, "KubeadmControlPlane", {
      replicas: variable("CONTROL_PLANE_MACHINE_COUNT", 1),
      version,
      machineTemplate: { spec: { infrastructureRef: template(name) } },
      kubeadmConfigSpec: {
        clusterConfiguration: { controllerManager: { extraArgs: externalCloudProvider } },
        initConfiguration: { nodeRegistration },
        ...nodeConfig,
      },
    }),
    machineTemplate(workers),
    object(bootstrapGroup, "KubeadmConfigTemplate", { template: { spec: nodeConfig } }, workers),
    object(
      clusterApiGroup,
      "MachineDeployment",
      {
        clusterName: name,
        replicas: variable("WORKER_MACHINE_COUNT", 0),
        selector: { matchLabels: {} },
        template: {
          spec: {
            clusterName: name,
            version,
            bootstrap: { configRef: reference(bootstrapGroup, "KubeadmConfigTemplate", workers) },
            infrastructureRef: template(workers),
          },
        },
      },
      workers,
    ),
  ];
}

const externalCloudProvider = [{ name: "cloud-provider", value: "external" }];
const nodeRegistration = {
  name: "{{ local_hostname }}",
  criSocket: "/var/run/containerd/containerd.sock",
  kubeletExtraArgs: externalCloudProvider,
};
const nodeConfig = {
  joinConfiguration: { nodeRegistration },
  preKubeadmCommands: [
    'hostnamectl set-hostname "{{ ds.meta_data.local_hostname }}"',
    'echo "127.0.0.1 {{ ds.meta_data.local_hostname }}" >>/etc/hosts',
  ],
};

function machineTemplate(of: string): object {
  const spec = {
    template: variable("VSPHERE_TEMPLATE"),
    cloneMode: "linkedClone",
    datacenter: variable("VSPHERE_DATACENTER"),
    datastore: variable("VSPHERE_DATASTORE"),
    folder: variable("VSPHERE_FOLDER"),
    resourcePool: variable("VSPHERE_RESOURCE_POOL"),
    network: { devices: [{ networkName: variable("VSPHERE_NETWORK"), dhcp4: true }] },
    numCPUs: 2,
    memoryMiB: 8192,
    diskGiB: 25,
    powerOffMode: "trySoft",
  };
  return object(infrastructureGroup, "VSphereMachineTemplate", { template: { spec } }, of);
}

function reference(apiGroup: string, kind: string, to: string): object {
  return { apiGroup, kind, name: to };
}

function object(group: string, kind: string, spec: object, of = name): object {
  const apiVersion = `${group}/${group === infrastructureGroup ? "v1beta1" : "v1beta2"}`;
  const metadata = { name: of, namespace };
  return { apiVersion, kind, metadata, spec };
}
