import {
  defaultComponentsFile,
  type ProviderIdentity,
  type ProviderKind,
  providerKindNames,
} from "./provider.ts";

/** Repositories on GitHub by name of provider, with the components file unless it is the default. */
type Releases = Readonly<Record<string, string>>;

/** clusterctl's providers (v1.14.2), which a test compares with its source. */
const releases: Readonly<Record<ProviderKind, Releases>> = {
  CoreProvider: {
    "cluster-api": "kubernetes-sigs/cluster-api",
  },
  BootstrapProvider: {
    "canonical-kubernetes": "canonical/cluster-api-k8s",
    "k0sproject-k0smotron": "k0sproject/k0smotron",
    kubeadm: "kubernetes-sigs/cluster-api",
    "kubekey-k3s": "kubesphere/kubekey",
    microk8s: "canonical/cluster-api-bootstrap-provider-microk8s",
    rke2: "rancher/cluster-api-provider-rke2",
    talos: "siderolabs/cluster-api-bootstrap-provider-talos",
  },
  ControlPlaneProvider: {
    "canonical-kubernetes": "canonical/cluster-api-k8s",
    "hosted-control-plane": "teutonet/cluster-api-provider-hosted-control-plane",
    "k0sproject-k0smotron": "k0sproject/k0smotron",
    kamaji: "clastix/cluster-api-control-plane-provider-kamaji",
    kubeadm: "kubernetes-sigs/cluster-api",
    "kubekey-k3s": "kubesphere/kubekey",
    microk8s: "canonical/cluster-api-control-plane-provider-microk8s",
    nested: "kubernetes-sigs/cluster-api-provider-nested",
    rke2: "rancher/cluster-api-provider-rke2",
    talos: "siderolabs/cluster-api-control-plane-provider-talos",
  },
  InfrastructureProvider: {
    aws: "kubernetes-sigs/cluster-api-provider-aws",
    azure: "kubernetes-sigs/cluster-api-provider-azure",
    byoh: "vmware-tanzu/cluster-api-provider-bringyourownhost",
    "cloudscale-ch-cloudscale": "cloudscale-ch/cluster-api-provider-cloudscale",
    cloudstack: "kubernetes-sigs/cluster-api-provider-cloudstack",
    coxedge: "coxedge/cluster-api-provider-coxedge",
    digitalocean: "kubernetes-sigs/cluster-api-provider-digitalocean",
    docker: "kubernetes-sigs/cluster-api infrastructure-components-development.yaml",
    gcp: "kubernetes-sigs/cluster-api-provider-gcp",
    "harvester-harvester": "rancher-sandbox/cluster-api-provider-harvester",
    hetzner: "syself/cluster-api-provider-hetzner",
    "hivelocity-hivelocity": "hivelocity/cluster-api-provider-hivelocity",
    huawei: "HuaweiCloudDeveloper/cluster-api-provider-huawei",
    ibmcloud: "kubernetes-sigs/cluster-api-provider-ibmcloud",
    "ionoscloud-ionoscloud": "ionos-cloud/cluster-api-provider-ionoscloud",
    "k0sproject-k0smotron": "k0sproject/k0smotron",
    kubekey: "kubesphere/kubekey",
    "kubeswift-io": "kubeswift-io/cluster-api-provider-kubeswift",
    kubevirt: "kubernetes-sigs/cluster-api-provider-kubevirt",
    "linode-linode": "linode/cluster-api-provider-linode",
    maas: "spectrocloud/cluster-api-provider-maas",
    "metal-stack": "metal-stack/cluster-api-provider-metal-stack",
    metal3: "metal3-io/cluster-api-provider-metal3",
    nested: "kubernetes-sigs/cluster-api-provider-nested",
    nutanix: "nutanix-cloud-native/cluster-api-provider-nutanix",
    oci: "oracle/cluster-api-provider-oci",
    opennebula: "OpenNebula/cluster-api-provider-opennebula",
    openstack: "kubernetes-sigs/cluster-api-provider-openstack",
    outscale: "outscale/cluster-api-provider-outscale",
    oxide: "oxidecomputer/cluster-api-provider-oxide",
    proxmox: "ionos-cloud/cluster-api-provider-proxmox",
    scaleway: "scaleway/cluster-api-provider-scaleway",
    sidero: "siderolabs/sidero",
    "tinkerbell-tinkerbell": "tinkerbell/cluster-api-provider-tinkerbell",
    vcd: "vmware/cluster-api-provider-cloud-director",
    vcluster: "loft-sh/cluster-api-provider-vcluster",
    virtink: "smartxworks/cluster-api-provider-virtink",
    vsphere: "kubernetes-sigs/cluster-api-provider-vsphere",
    "vultr-vultr": "vultr/cluster-api-provider-vultr",
  },
  IPAMProvider: {
    "in-cluster": "kubernetes-sigs/cluster-api-ipam-provider-in-cluster",
    metal3: "metal3-io/ip-address-manager",
    nutanix: "nutanix-cloud-native/cluster-api-ipam-provider-nutanix",
  },
  RuntimeExtensionProvider: {
    nutanix:
      "nutanix-cloud-native/cluster-api-runtime-extensions-nutanix runtime-extensions-components.yaml",
  },
  AddonProvider: {
    "eitco-cdk8s": "eitco/cluster-api-addon-provider-cdk8s",
    helm: "kubernetes-sigs/cluster-api-addon-provider-helm",
    "rancher-fleet": "rancher/cluster-api-addon-provider-fleet",
  },
};

/** A provider that needs no fetch configuration. */
interface DefaultProvider extends ProviderIdentity {
  /** The URL that clusterctl has for it: ".../releases/latest/<components file>". */
  readonly url: string;
}

/** The providers that clusterctl knows, in its order. */
export function defaultProviders(): readonly DefaultProvider[] {
  return providerKindNames.flatMap((kind) =>
    Object.keys(releases[kind])
      .sort()
      .map((name) => ({ kind, name, url: defaultProviderUrl({ kind, name }) ?? "" })),
  );
}

/** The URL of a provider that clusterctl knows. */
export function defaultProviderUrl({ kind, name }: ProviderIdentity): string | undefined {
  if (!Object.hasOwn(releases[kind], name)) return undefined;
  const [repository, file = defaultComponentsFile(kind)] = releases[kind][name]?.split(" ") ?? [];
  return `https://github.com/${repository}/releases/latest/${file}`;
}
