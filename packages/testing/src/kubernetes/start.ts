import { anyKubectl } from "../binaries/any-kubectl.ts";
import { type BinaryOptions, ensureBinaries } from "../binaries/binaries.ts";
import { type BinaryName, binarySets } from "../binaries/recipe.ts";
import { UnavailableError } from "../errors.ts";
import type { Kubernetes } from "../kubernetes.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import { reportProgress } from "../progress.ts";
import type { AuditLevel } from "./api-server.ts";
import { connectKubernetes } from "./connect.ts";
import { startControlPlane } from "./control-plane.ts";
import { startEmbedded } from "./embedded.ts";
import { servedVersion } from "./served-version.ts";
import { chosenFlavour, joinKubernetes } from "./share.ts";

export interface KubernetesOptions extends BinaryOptions {
  /**
   * By default a real kube-apiserver, or the value of the environment variable ROOKERY_TEST_KUBERNETES
   * ("embedded").
   */
  readonly flavour?: "kube-apiserver" | "embedded";
  /** One of its own instead of the one that all tests of a run share. Any option below implies it. */
  readonly private?: boolean;
  /** On by default; without it nothing is garbage collected and no namespace is finalized. */
  readonly controllerManager?: boolean;
  /** A fixed port of the API server. Throws PortInUseError if it is taken. */
  readonly port?: number;
  readonly apiServerArgs?: readonly string[];
  /** Such as "--controllers=garbage-collector-controller", for no others. */
  readonly controllerManagerArgs?: readonly string[];
  readonly audit?: AuditLevel;
}

/**
 * A kube-apiserver with etcd and, by default, a kube-controller-manager on loopback. Without options it
 * joins the Kubernetes that the run shares, if there is one; disposing of that leaves it running. Throws
 * UnavailableError where the machine can't run one.
 */
export async function startKubernetes(options: KubernetesOptions = {}): Promise<Kubernetes> {
  const { env = process.env } = options;
  const shared = wantsOwn(options) ? undefined : await joinKubernetes(env);
  return shared ?? startOwn(options);
}

function wantsOwn(options: KubernetesOptions): boolean {
  const { private: own, progress: _, env: __, ...particular } = options;
  return own === true || Object.values(particular).some((value) => value !== undefined);
}

async function startOwn(options: KubernetesOptions): Promise<Kubernetes> {
  const flavour = options.flavour ?? (await chosenFlavour(options.env ?? process.env));
  return flavour === "embedded" ? startOwnEmbedded(options) : startOwnReal(options);
}

async function startOwnEmbedded(options: KubernetesOptions): Promise<Kubernetes> {
  const { progress = reportProgress, env = process.env, port, apiServerArgs } = options;
  const { controllerManager = true, audit } = options;
  const kubectl = await anyKubectl({ progress, env });
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("kubernetes")).path;
  const started = await startEmbedded({
    folder,
    progress,
    port,
    controllerManager,
    audit: audit !== undefined,
    apiServerArgs: apiServerArgs?.map(embeddedArgument),
  });
  const { server, apiServer } = stack.use(started);
  const version = await servedVersion(server, folder);
  const common = { flavour: "embedded", controllerManager } as const;
  const owned = stack.move();
  return connectKubernetes(
    { ...common, version, server, folder, kubectl },
    { apiServer, dispose: () => owned.disposeAsync() },
  );
}

/** The embedded name of an argument of kube-apiserver. */
function embeddedArgument(argument: string): string {
  return argument.replace(/^--etcd-compaction-interval=(\d+)s$/, "--history=$1");
}

async function startOwnReal(options: KubernetesOptions): Promise<Kubernetes> {
  refuseWindows();
  const { progress = reportProgress, env = process.env } = options;
  const binaries = await ensureBinaries<BinaryName>(wantedBinaries(options), { progress, env });
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("kubernetes")).path;
  const { port, audit, apiServerArgs, controllerManagerArgs } = options;
  const controlPlane = stack.use(
    await startControlPlane({
      binaries,
      folder,
      address: "127.0.0.1",
      progress,
      port,
      audit,
      apiServerArgs,
      controllerManagerArgs,
    }),
  );
  const description = {
    flavour: "kube-apiserver",
    version: await servedVersion(controlPlane.server, folder),
    server: controlPlane.server,
    folder,
    kubectl: binaries.kubectl,
    controllerManager: "kube-controller-manager" in binaries,
  } as const;
  const owned = stack.move();
  const { apiServer } = controlPlane;
  return connectKubernetes(description, { apiServer, dispose: () => owned.disposeAsync() });
}

function refuseWindows(): void {
  if (process.platform !== "win32") return;
  throw new UnavailableError("a real Kubernetes", {
    reason: "processes cannot be ended as a group on Windows",
    remedy: "run the tests in WSL, on Linux or on macOS",
  });
}

function wantedBinaries(options: KubernetesOptions): BinaryName[] {
  const controllers = options.controllerManager ?? true;
  return binarySets.apiserver.filter((name) => controllers || name !== "kube-controller-manager");
}
