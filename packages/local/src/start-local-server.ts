import { dirname, join } from "node:path";
import {
  type EmbeddedApiServer,
  type LocalPki,
  loadApiServer,
  localVersion,
  makeFolder,
  type Store,
  writePrivateFile,
} from "@rookery/embedded-apiserver";
import { startControllers } from "@rookery/embedded-controllers";
import { type LocalNode, loadNode } from "@rookery/embedded-node";
import { createKubeconfig } from "@rookery/pki";
import { silentLogger, startRunnables } from "@rookery/runtime";
import { claimNetworks } from "./claim-networks.ts";
import { type FullOptions, type LocalServerOptions, withDefaults } from "./local-options.ts";

/** A listening Kubernetes. Disposal ends it at once. */
export interface LocalServer extends AsyncDisposable {
  /** Such as "https://127.0.0.1:6443". */
  readonly url: string;
  /** The path of the administrator's kubeconfig; undefined with external certificates. */
  readonly kubeconfig: string | undefined;
  /** Finishes requests in flight first. */
  stop(): Promise<void>;
}

/** The parts of a server without its node. */
interface Parts {
  readonly options: FullOptions;
  readonly store: Store;
  readonly server: EmbeddedApiServer;
  /** The lazily loaded node package. */
  readonly nodeCode: NodeCode | undefined;
}

type NodeCode = Awaited<ReturnType<typeof loadNode>>;

/**
 * Starts a server and resolves when it is ready. A restart on the same folder finds all data.
 * Rejects with a StoreUnusableError or a ListenError.
 */
export async function startLocalServer(given: LocalServerOptions): Promise<LocalServer> {
  await using stack = new AsyncDisposableStack();
  const { startApiServer } = await loadApiServer();
  const { options, store } = await openData(given, stack);
  const nodeCode = options.node && (await loadNode());
  let kubeconfig: string | undefined;
  let node: LocalNode | undefined;
  const server = stack.use(
    await startApiServer({
      ...options,
      store,
      hasLocalPods: options.node !== undefined,
      storageClass: nodeCode?.standardStorageClass,
      podStreams: () => node?.streams ?? options.podStreams(),
      async onCertificates(url, pki) {
        kubeconfig = await writeAdminKubeconfig(pki, url, options);
      },
    }),
  );
  const parts = { options, store, server, nodeCode };
  stack.use(startAllControllers(parts));
  stack.use(startServiceRelay(parts));
  server.ready();
  node = await startLocalNode(options, server);
  return started({ server, kubeconfig, node, owned: stack.move() });
}

function started(running: {
  readonly server: EmbeddedApiServer;
  readonly kubeconfig: string | undefined;
  readonly node: LocalNode | undefined;
  readonly owned: AsyncDisposableStack;
}): LocalServer {
  const { server, kubeconfig, node, owned } = running;
  // Pods end first: they may still need the API.
  if (node) owned.use(node);
  return {
    url: server.url,
    kubeconfig,
    async stop() {
      await node?.[Symbol.asyncDispose]();
      await server.stop();
      await owned.disposeAsync();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The store comes first, since it locks the folder. */
async function openData(given: LocalServerOptions, stack: AsyncDisposableStack) {
  const { data, historyMs, now, disabledAdmission } = withDefaults(given);
  const { assertPlugins, openStore } = await loadApiServer();
  assertPlugins(disabledAdmission);
  const store = stack.use(
    await openStore({ folder: data, now, ...(historyMs !== undefined && { historyMs }) }),
  );
  const hasOwn = given.podCidr !== undefined || !given.node;
  const networks = hasOwn ? {} : stack.use(await claimNetworks(data));
  return { options: withDefaults({ ...networks, ...given }), store };
}

/** Starts kube-controller-manager and kube-scheduler. */
function startAllControllers({ options, store, server, nodeCode }: Parts): AsyncDisposable {
  const { controllerManager, workloads, data, now, onError } = options;
  const { client, groups, tokens, authorize, pki } = server;
  return startControllers({
    store,
    client,
    groups,
    tokens,
    authorize,
    controllerManager,
    workloads,
    now,
    onError,
    ...(nodeCode && { node: { provisioner: new nodeCode.FolderVolumes(join(data, "volumes")) } }),
    rootCa: () => pki.ca.certificate,
    authority: { sign: async (...request) => (await pki.authority()).sign(...request) },
  });
}

/** Relays Service addresses to pods, which are local processes. */
function startServiceRelay({ options, store, server, nodeCode }: Parts): AsyncDisposable {
  const context = { store, client: server.client, now: options.now, logger: silentLogger };
  const relays = nodeCode ? [nodeCode.createServiceRelay(context)] : [];
  return startRunnables(relays, options.onError);
}

/** Starts the node, if there is one, with its folder in the data folder. */
async function startLocalNode(
  options: FullOptions,
  server: EmbeddedApiServer,
): Promise<LocalNode | undefined> {
  const { node, data, podCidr = "", now, onError } = options;
  if (!node) return undefined;
  const { name = "rookery", images, logger = silentLogger } = node;
  const { client, port, pki, url } = server;
  const { startNode } = await loadNode();
  return once(
    await startNode({
      name,
      client,
      images,
      podCidr,
      now,
      logger,
      onError,
      version: localVersion.gitVersion,
      folder: join(data, "node"),
      api: { host: new URL(url).hostname, port, ca: () => pki.ca.certificate },
    }),
  );
}

/** Makes repeated disposal safe. */
function once(node: LocalNode): LocalNode {
  let ended: Promise<void> | undefined;
  return {
    streams: node.streams,
    [Symbol.asyncDispose]() {
      ended ??= Promise.resolve(node[Symbol.asyncDispose]());
      return ended;
    },
  };
}

/**
 * Writes the kubeconfig into the data folder and to the requested path, which it returns. Undefined
 * with external certificates, which include the administrator's.
 */
async function writeAdminKubeconfig(
  { ca, leaves }: Pick<LocalPki, "ca" | "leaves">,
  server: string,
  { data, kubeconfig }: Pick<LocalServerOptions, "data" | "kubeconfig">,
): Promise<string | undefined> {
  if (!leaves.admin) return undefined;
  const config = createKubeconfig({
    clusterName: "rookery",
    contextName: "rookery",
    server,
    certificateAuthority: ca.certificate,
    userName: "kubernetes-admin",
    credentials: leaves.admin,
  });
  const own = join(data, "kubeconfig");
  const wanted = kubeconfig ?? own;
  const text = `${JSON.stringify(config, undefined, 2)}\n`;
  for (const file of new Set([own, wanted])) {
    makeFolder(dirname(file));
    writePrivateFile(file, text);
  }
  return wanted;
}
