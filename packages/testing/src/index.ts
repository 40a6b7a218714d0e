/**
 * A Kubernetes to test on, and what tests need beside it.
 *
 * `startKubernetes` starts a real kube-apiserver with etcd, shared by the tests of a run; `startNode`
 * adds a real node, whose pods run images that `@rookery/packaging` makes, or starts the embedded
 * Kubernetes, whose pods are processes. `PretendKubelet` writes the status of pods that no node runs.
 * Binaries come from KUBEBUILDER_ASSETS, a cache of the machine, or a build by Go (`binaries/`). All
 * processes end with the one that started them, even when that is killed (`process/`), and changes
 * to the machine are undone (`node/`). Builders and a fake clock serve tests without a Kubernetes.
 */
export { type Bench, measure, type Row, type Side, type Work } from "./bench/bench.ts";
export {
  changesBetween,
  changeTable,
  isWorse,
  measureOurs,
  type OwnFigure,
} from "./bench/compare.ts";
export { benchTable, headline } from "./bench/report.ts";
export { anyKubectl } from "./binaries/any-kubectl.ts";
export {
  type Binaries,
  type BinaryOptions,
  ensureBinaries,
  type KubernetesBinaryOptions,
} from "./binaries/binaries.ts";
export {
  type CustomResourceDefinition,
  clusterApiCrds,
  clusterApiManager,
  clusterApiSource,
  clusterctlProgram,
} from "./binaries/cluster-api.ts";
export {
  type ClusterApiProvider,
  clusterApiProviders,
  clusterApiRelease,
  clusterApiVersions,
} from "./binaries/cluster-api-release.ts";
export { goModuleSource } from "./binaries/go-module.ts";
export { ensureGoProgram } from "./binaries/go-program.ts";
export { type BinaryName, binarySets } from "./binaries/recipe.ts";
export {
  build,
  controlledBy,
  deletedAt,
  inNamespace,
  type Modifier,
  objectOf,
  ownedBy,
  stored,
  withAnnotations,
  withFinalizers,
  withLabels,
} from "./builders.ts";
export { FakeClock, settled } from "./clock.ts";
export { applyCoreCrds, startClusterApiCore } from "./cluster-api/core.ts";
export { fittingComponents } from "./cluster-api/fitting-components.ts";
export {
  type GrowingWork,
  growing,
  isProportional,
  measureGrowth,
  pieces,
  testGrowth,
} from "./complexity/growth.ts";
export {
  CommandFailedError,
  LockHeldError,
  PortInUseError,
  ProcessEndedError,
  TimedOutError,
  UnavailableError,
} from "./errors.ts";
export { ownOptions, realOptions } from "./exchanges/compared-servers.ts";
export {
  type Answer,
  type Exchange,
  type Memory,
  play,
  type Scenario,
} from "./exchanges/exchange.ts";
export { normalize } from "./exchanges/normalize.ts";
export { busyboxImage } from "./images/busybox.ts";
export { workspaceImage } from "./images/workspace-image.ts";
export { installAccess } from "./kubernetes/install-access.ts";
export { notOnEmbedded } from "./kubernetes/not-on-embedded.ts";
export { freePort } from "./kubernetes/ports.ts";
export { shareKubernetes } from "./kubernetes/share.ts";
export { type KubernetesOptions, startKubernetes } from "./kubernetes/start.ts";
export type {
  ApiServerControl,
  Credentials,
  Flavour,
  Kubernetes,
  KubernetesDescription,
  KubernetesResponse,
  RequestOptions,
  ServiceAccount,
  TestNamespace,
  User,
  WatchEvent,
} from "./kubernetes.ts";
export { installPackages, missingPackages, type PackageName } from "./node/packages.ts";
export { type KubernetesNode, type NodeOptions, startNode } from "./node/start-node.ts";
export { type Fate, type FateOf, PretendKubelet } from "./pretend-kubelet.ts";
export { type Child, type ChildOptions, startChild } from "./process/child.ts";
export { runCommand } from "./process/command.ts";
export { lastLines } from "./process/last-lines.ts";
export { killProgram, processesOfPods } from "./process/pod-processes.ts";
export { createTemporaryFolder, type TemporaryFolder } from "./process/temporary-folder.ts";
export { type WaitOptions, waitFor } from "./process/wait-for.ts";
export { noProgress, type Progress, reportProgress } from "./progress.ts";
export {
  type HostileAnswer,
  type HostileServer,
  hostileAnswers,
  startHostileServer,
  startSilentServer,
} from "./servers/hostile-server.ts";
export { whyUnavailable } from "./unavailable.ts";
