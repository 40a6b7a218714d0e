import { join } from "node:path";
import type { ApiServer, Audit, HealthCheck, PodStreams, Serving } from "@rookery/apiserver";
import { assertPlugins } from "../admission/built-in-admission.ts";
import { bootstrapCluster } from "../controllers/bootstrap.ts";
import type { LocalNode } from "../node/node.ts";
import { openStore } from "../store/open-store.ts";
import { writeAdminKubeconfig } from "./admin-kubeconfig.ts";
import { type Assembled, assemble } from "./assemble.ts";
import { openAuditLog } from "./audit-log.ts";
import { openCertificateFiles } from "./certificate-files.ts";
import { renewalIntervals, renewCertificates, servingTls } from "./certificate-renewal.ts";
import { claimNetworks } from "./claim-networks.ts";
import { advertisedAddress, firstServiceAddress, reachableHost, servingHosts } from "./hosts.ts";
import { type FullOptions, type LocalServerOptions, withDefaults } from "./local-options.ts";
import { type LocalPki, openLocalPki } from "./local-pki.ts";
import type { Parts } from "./parts.ts";
import { PkiFiles } from "./pki-files.ts";
import { startLocalNode } from "./start-local-node.ts";

/** A small Kubernetes that listens. Disposing of it ends it without waiting for anyone. */
export interface LocalServer extends AsyncDisposable {
  /** As in "https://127.0.0.1:6443". */
  readonly url: string;
  /** The path of the administrator's kubeconfig; none where certificates come from elsewhere. */
  readonly kubeconfig: string | undefined;
  /** Lets requests on their way finish first. */
  stop(): Promise<void>;
}

/**
 * Starts it and resolves when it is ready. A second start on the same folder finds all data.
 * Rejects with a StoreUnusableError or a ListenError, whose messages say the way out.
 */
export async function startLocalServer(given: LocalServerOptions): Promise<LocalServer> {
  await using stack = new AsyncDisposableStack();
  const parts = await openData(given, stack);
  const { options } = parts;
  const state: State = { port: options.port, isReady: false, streams: undefined };
  const host = reachableHost(options.address);
  const assembled = stack.use(
    assemble(parts, {
      audit: openAudit(options, stack),
      readinessChecks: [bootstrapCheck(() => state.isReady)],
      externalAddress: () => `${host}:${state.port}`,
      podStreams: () => state.streams ?? options.podStreams(),
    }),
  );
  const serving = stack.use(await listen(assembled.apiServer, parts));
  state.port = serving.port;
  await bootstrap(assembled, serving.port, parts);
  stack.use(assembled.startControllers());
  const url = `https://${host}:${serving.port}`;
  const { cluster } = assembled;
  const publish = () => writeAdminKubeconfig(parts.pki, url, options);
  const kubeconfig = await publish();
  stack.use(
    renewCertificates({ ...parts, ...{ serving, cluster, publish }, ...renewalOf(options) }),
  );
  state.isReady = true;
  const node = await startLocalNode({ ...parts, client: assembled.client, port: serving.port });
  state.streams = node?.streams;
  return started({ url, kubeconfig, serving, node, owned: stack.move() });
}

/** What is known only while it runs. */
interface State {
  port: number;
  isReady: boolean;
  streams: PodStreams | undefined;
}

function started(running: {
  readonly url: string;
  readonly kubeconfig: string | undefined;
  readonly serving: Serving;
  readonly node: LocalNode | undefined;
  readonly owned: AsyncDisposableStack;
}): LocalServer {
  const { url, kubeconfig, serving, node, owned } = running;
  // Pods go first: what they do last may need the API.
  if (node) owned.use(node);
  return {
    url,
    kubeconfig,
    async stop() {
      await node?.[Symbol.asyncDispose]();
      await serving.stop();
      await owned.disposeAsync();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The store first: it has the lock of the folder. */
async function openData(given: LocalServerOptions, stack: AsyncDisposableStack): Promise<Parts> {
  const { data, historyMs, now, disabledAdmission } = withDefaults(given);
  assertPlugins(disabledAdmission);
  const store = stack.use(await openStore({ folder: data, historyMs, now }));
  const hasOwn = given.podCidr !== undefined || !given.node;
  const networks = hasOwn ? {} : stack.use(await claimNetworks(data));
  const options = withDefaults({ ...networks, ...given });
  return { store, pki: await openPki(options), options };
}

function openPki(options: FullOptions): Promise<LocalPki> {
  const { data, now, address, tlsSans, serviceCidr, certificates } = options;
  if (certificates) return openCertificateFiles(certificates, now);
  const serviceIp = firstServiceAddress(serviceCidr);
  const hosts = servingHosts({ address, serviceIp, tlsSans });
  return openLocalPki({ files: new PkiFiles(join(data, "pki")), hosts, now });
}

function renewalOf({ certificates, onError }: FullOptions) {
  return { onError, intervalMs: renewalIntervals[certificates ? "foreign" : "own"] };
}

function openAudit(
  { auditLogPath, onError }: FullOptions,
  stack: AsyncDisposableStack,
): Audit | undefined {
  if (auditLogPath === undefined) return undefined;
  return stack.use(openAuditLog(auditLogPath, onError)).audit;
}

/** Fails until what every cluster has is there. */
function bootstrapCheck(isReady: () => boolean): HealthCheck {
  return {
    name: "poststarthook/rbac/bootstrap-roles",
    check() {
      if (!isReady()) throw new Error("not finished");
    },
  };
}

function listen(apiServer: ApiServer, { pki, options }: Parts): Promise<Serving> {
  const { address: host, port } = options;
  return apiServer.serve({ host, port, tls: servingTls(pki) });
}

async function bootstrap(
  { client }: Assembled,
  port: number,
  { store, options }: Parts,
): Promise<void> {
  const { now, auditLogPath } = options;
  await bootstrapCluster({
    client,
    signal: new AbortController().signal,
    advertised: { ip: advertisedAddress(options.address), port },
    serviceIp: firstServiceAddress(options.serviceCidr),
    hasNode: options.node !== undefined,
    // An audit log tells of every request by which a cluster came to be what it is.
    ...(auditLogPath === undefined && { readyMade: { store, now } }),
  });
}
