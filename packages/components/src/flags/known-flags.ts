/**
 * The flags of managers, read from the `main.go` (InitFlags) of the Go module of each release that is
 * named here, with util/flags/manager.go of the Cluster API that it is built with, and
 * logs/api/v1/options.go of its k8s.io/component-base. A test reads those of Cluster API again.
 */
export interface KnownFlags {
  /** The release that was read; it stands for its minor series. */
  readonly version: string;
  /** Names without dashes; of flags that count concurrent reconciles with "=" and their default. */
  readonly flags: string;
  /** Whether flags may be missing here, so that other flags are accepted. */
  readonly partial?: boolean;
}

const kubeconfig = "kubeconfig feature-gates";
const klog =
  "add-dir-header alsologtostderr log-backtrace-at log-dir log-file log-file-max-size logtostderr one-output skip-headers skip-log-headers stderrthreshold v vmodule";
const logs =
  "logging-format log-flush-frequency v vmodule log-json-split-stream log-json-info-buffer-size log-text-split-stream log-text-info-buffer-size";
const diagnostics = "tls-min-version tls-cipher-suites diagnostics-address insecure-diagnostics";
const election =
  "leader-elect leader-elect-lease-duration leader-elect-renew-deadline leader-elect-retry-period";
const webhook = "webhook-port webhook-cert-dir webhook-cert-name webhook-key-name";
const limits = "kube-api-qps kube-api-burst";
const common = `${kubeconfig} ${logs} ${diagnostics} ${election} ${webhook} ${limits} namespace watch-filter profiler-address contention-profiling sync-period health-addr`;

const tracker =
  "clustercachetracker-concurrency=10 clustercachetracker-client-qps clustercachetracker-client-burst";
const cache = "clustercache-concurrency=100 clustercache-client-qps clustercache-client-burst";
const extensions = "runtime-extension-client-cert-file runtime-extension-client-key-file";

const core8 = `${common} ${tracker} metrics-bind-addr clustertopology-concurrency=10 clusterclass-concurrency=10 cluster-concurrency=10 extensionconfig-concurrency=10 machine-concurrency=10 machineset-concurrency=10 machinedeployment-concurrency=10 machinepool-concurrency=10 clusterresourceset-concurrency=10 machinehealthcheck-concurrency=10 node-drain-client-timeout-duration use-deprecated-infra-machine-naming`;
const core13 = `${common} ${cache} ${extensions} clustertopology-concurrency=50 clusterclass-concurrency=10 cluster-concurrency=50 extensionconfig-concurrency=10 machine-concurrency=100 machineset-concurrency=50 machinedeployment-concurrency=50 machinepool-concurrency=50 clusterresourceset-concurrency=10 machinehealthcheck-concurrency=50 remote-connection-grace-period remote-conditions-grace-period machineset-preflight-checks skip-crd-migration-phases additional-sync-machine-labels additional-sync-machine-annotations`;
// Its flag cluster-concurrency has no effect.
const bootstrap8 = `${common} ${tracker} metrics-bind-addr cluster-concurrency kubeadmconfig-concurrency=10 bootstrap-token-ttl`;
const bootstrap13 = `${common} ${cache} kubeadmconfig-concurrency=100 bootstrap-token-ttl skip-crd-migration-phases`;
const controlPlane8 = `${common} ${tracker} metrics-bind-addr kubeadmcontrolplane-concurrency=10 etcd-dial-timeout-duration etcd-call-timeout-duration use-deprecated-infra-machine-naming`;
const controlPlane13 = `${common} ${cache} ${extensions} kubeadmcontrolplane-concurrency=100 etcd-dial-timeout-duration etcd-call-timeout-duration etcd-client-log-level remote-conditions-grace-period skip-crd-migration-phases`;

const rookery = `${kubeconfig} ${election} context namespace excluded-namespace api-group-suffix sync-period metrics-bind-address health-addr profiler-address webhook-port webhook-cert-dir v webhook-service webhook-configuration`;
const nested1 = `${rookery} controllers image-repository rookery-image nestedcluster-concurrency=10 nestedcontrolplane-concurrency=10 nestedcomponent-concurrency=10`;
const nested2 = `${rookery} controllers image-repository rookery-image allowed-images allowed-extra-args allowed-patches allowed-hosts allowed-service-annotations nestedcluster-concurrency=10 nestedcontrolplane-concurrency=10 nestedcomponent-concurrency=10`;
const ownCore = `${rookery} mutating-webhook-configuration cluster-concurrency=10 machine-concurrency=10 clusterresourceset-concurrency=10`;
const vsphere2 = `${rookery} credentials-namespace credentials-dir vcenter-server identities-any-server tenant-network adopt-virtual-machines vcenter-ca-file keep-alive-duration vspherecluster-concurrency=10 vspheremachine-concurrency=10 vspherevm-concurrency=10`;

/** One entry for each minor series with the same flags. */
const releases = (flags: string, ...versions: readonly string[]) =>
  versions.map((version) => ({ version, flags }));
const ownNested = [...releases(nested1, "v0.1.0"), ...releases(nested2, "v0.2.0", "v0.3.0")];

/** By provider label, from the oldest release to the newest. */
export const knownFlags: Readonly<Record<string, readonly KnownFlags[]>> = {
  "cluster-api": [
    { version: "v1.8.4", flags: core8 },
    { version: "v1.13.6", flags: core13 },
    { version: "v1.14.2", flags: `${core13} tls-curve-preferences` },
  ],
  "bootstrap-kubeadm": [
    { version: "v1.8.4", flags: bootstrap8 },
    { version: "v1.13.6", flags: bootstrap13 },
    { version: "v1.14.2", flags: `${bootstrap13} tls-curve-preferences` },
  ],
  "control-plane-kubeadm": [
    { version: "v1.8.4", flags: controlPlane8 },
    { version: "v1.13.6", flags: controlPlane13 },
    { version: "v1.14.2", flags: `${controlPlane13} tls-curve-preferences` },
  ],
  "infrastructure-aws": [
    {
      version: "v0.6.0",
      flags: `${kubeconfig} ${klog} metrics-addr enable-leader-election namespace leader-election-namespace profiler-address awscluster-concurrency=5 awsmachine-concurrency=10 sync-period webhook-port health-addr`,
    },
    {
      version: "v2.13.0",
      flags: `${kubeconfig} ${logs} ${diagnostics} ${election} namespace leader-elect-namespace profiler-address awscluster-concurrency=5 instance-state-concurrency=5 awsmachine-concurrency=10 wait-infra-period max-wait-managed-resources sync-period webhook-port webhook-cert-dir health-addr service-endpoints watch-filter disable-controllers`,
      partial: true,
    },
  ],
  "infrastructure-azure": [
    {
      version: "v0.4.9",
      flags: `${kubeconfig} ${klog} metrics-addr enable-leader-election leader-election-namespace namespace profiler-address azurecluster-concurrency=10 azuremachine-concurrency=10 azuremachinepool-concurrency=10 sync-period health-addr webhook-port reconcile-timeout`,
      partial: true,
    },
    {
      version: "v1.21.0",
      flags: `${kubeconfig} ${klog} ${diagnostics} ${election} leader-election-namespace namespace watch-filter profiler-address azurecluster-concurrency=10 azuremachine-concurrency=10 azuremachinepool-concurrency=10 azuremachinepoolmachine-concurrency=10 debouncing-timer sync-period health-addr webhook-port webhook-cert-dir reconcile-timeout service-reconcile-timeout api-call-timeout reconciler-requeue enable-tracing bootstrap-config-gvk disable-controllers-or-webhooks`,
      partial: true,
    },
  ],
  "infrastructure-gcp": [
    {
      version: "v1.13.1",
      flags: `${kubeconfig} ${klog} ${diagnostics} ${election} namespace leader-election-namespace profiler-address watch-filter gcpcluster-concurrency=10 gcpmachine-concurrency=10 gkeconfig-concurrency=10 sync-period webhook-port webhook-cert-dir health-addr reconcile-timeout`,
      partial: true,
    },
  ],
  // Rookery's own, which a test compares with the commands.
  "rookery-core": releases(ownCore, "v0.1.0", "v0.2.0", "v0.3.0"),
  "infrastructure-nested": ownNested,
  "control-plane-nested": ownNested,
  "infrastructure-vsphere": [
    {
      version: "v0.1.0",
      flags: `${rookery} credentials-namespace credentials-dir vcenter-ca-file keep-alive-duration vspherecluster-concurrency=10 vspheremachine-concurrency=10 vspherevm-concurrency=10`,
    },
    ...releases(vsphere2, "v0.2.0", "v0.3.0"),
    {
      version: "v1.14.0",
      flags: `${common} ${cache} leader-election-id vspherecluster-concurrency=10 vspheremachine-concurrency=10 vspheremachinetemplate-concurrency=10 providerserviceaccount-concurrency=10 servicediscovery-concurrency=10 vspherevm-concurrency=10 vsphereclusteridentity-concurrency=10 vspheredeploymentzone-concurrency=10 pod-name credentials-file network-provider skip-crd-migration-phases`,
    },
  ],
};
