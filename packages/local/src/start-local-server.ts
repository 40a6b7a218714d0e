import { join } from "node:path";
import { type Runnable, silentLogger, startRunnables } from "@rookery/runtime";
import { writeAdminKubeconfig } from "./admin-kubeconfig.ts";
import { assertPlugins } from "./admission/built-in-admission.ts";
import { claimNetworks } from "./claim-networks.ts";
import { startControllers } from "./controllers/start-controllers.ts";
import { type FullOptions, type LocalServerOptions, withDefaults } from "./local-options.ts";
import type { LocalNode } from "./node/node.ts";
import { createServiceRelay } from "./node/services/service-relay.ts";
import { type EmbeddedApiServer, startApiServer } from "./server/start-api-server.ts";
import { startLocalNode } from "./start-local-node.ts";
import { openStore } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";
import { FolderVolumes, standardStorageClass } from "./volumes/folder-volumes.ts";

/** A small Kubernetes that listens. Disposing of it ends it without waiting for anyone. */
export interface LocalServer extends AsyncDisposable {
  /** As in "https://127.0.0.1:6443". */
  readonly url: string;
  /** The path of the administrator's kubeconfig; none where certificates come from elsewhere. */
  readonly kubeconfig: string | undefined;
  /** Lets requests on their way finish first. */
  stop(): Promise<void>;
}

/** What one server is made of, beside its node. */
export interface Parts {
  readonly options: FullOptions;
  readonly store: Store;
  readonly server: EmbeddedApiServer;
}

/**
 * Starts it and resolves when it is ready. A second start on the same folder finds all data.
 * Rejects with a StoreUnusableError or a ListenError, whose messages say the way out.
 */
export async function startLocalServer(given: LocalServerOptions): Promise<LocalServer> {
  await using stack = new AsyncDisposableStack();
  const { options, store } = await openData(given, stack);
  let kubeconfig: string | undefined;
  let node: LocalNode | undefined;
  const server = stack.use(
    await startApiServer({
      ...{ ...options, store, hasLocalPods: options.node !== undefined },
      ...(options.node && { storageClass: standardStorageClass }),
      podStreams: () => node?.streams ?? options.podStreams(),
      async onCertificates(url, pki) {
        kubeconfig = await writeAdminKubeconfig(pki, url, options);
      },
    }),
  );
  const parts = { options, store, server };
  stack.use(startAllControllers(parts));
  stack.use(startRunnables(serviceRelays(parts), options.onError));
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
  // Pods go first: what they do last may need the API.
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

/** The store first: it has the lock of the folder. */
async function openData(given: LocalServerOptions, stack: AsyncDisposableStack) {
  const { data, historyMs, now, disabledAdmission } = withDefaults(given);
  assertPlugins(disabledAdmission);
  const store = stack.use(
    await openStore({ folder: data, now, ...(historyMs !== undefined && { historyMs }) }),
  );
  const hasOwn = given.podCidr !== undefined || !given.node;
  const networks = hasOwn ? {} : stack.use(await claimNetworks(data));
  return { options: withDefaults({ ...networks, ...given }), store };
}

/** Those of kube-controller-manager and kube-scheduler. */
function startAllControllers({ options, store, server }: Parts): AsyncDisposable {
  const { controllerManager, workloads, node, data, now, onError } = options;
  const { client, groups, tokens, authorize, pki } = server;
  return startControllers({
    ...{ store, client, groups, tokens, authorize, controllerManager, workloads, now, onError },
    ...(node && { node: { provisioner: new FolderVolumes(join(data, "volumes")) } }),
    rootCa: () => pki.ca.certificate,
    authority: { sign: async (...request) => (await pki.authority()).sign(...request) },
  });
}

/** Pods are processes of this machine, which has to lead the addresses of Services to them. */
function serviceRelays({ options, store, server }: Parts): readonly Runnable[] {
  if (!options.node) return [];
  const { client } = server;
  return [createServiceRelay({ store, client, now: options.now, logger: silentLogger })];
}
