import { join } from "node:path";
import type { ApiServer, Audit, HealthCheck, Serving } from "@rookery/apiserver";
import { bootstrapCluster } from "../controllers/bootstrap.ts";
import { openStore } from "../store/open-store.ts";
import { writeAdminKubeconfig } from "./admin-kubeconfig.ts";
import { type Assembled, assemble } from "./assemble.ts";
import { openAuditLog } from "./audit-log.ts";
import { renewCertificates, servingTls } from "./certificate-renewal.ts";
import { advertisedAddress, firstServiceAddress, reachableHost, servingHosts } from "./hosts.ts";
import { type FullOptions, type LocalServerOptions, withDefaults } from "./local-options.ts";
import { openLocalPki } from "./local-pki.ts";
import type { Parts } from "./parts.ts";
import { PkiFiles } from "./pki-files.ts";

/** A small Kubernetes that listens. Disposing of it ends it without waiting for anyone. */
export interface LocalServer extends AsyncDisposable {
  /** As in "https://127.0.0.1:6443". */
  readonly url: string;
  /** The path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Lets requests on their way finish first. */
  stop(): Promise<void>;
}

/**
 * Starts it and resolves when it is ready. A second start on the same folder finds all data.
 * Rejects with a StoreUnusableError or a ListenError, whose messages say the way out.
 */
export async function startLocalServer(given: LocalServerOptions): Promise<LocalServer> {
  const options = withDefaults(given);
  await using stack = new AsyncDisposableStack();
  const parts = { ...(await openData(options, stack)), options };
  const state = { port: options.port, isReady: false };
  const host = reachableHost(options.address);
  const assembled = stack.use(
    assemble(parts, {
      audit: openAudit(options, stack),
      readinessChecks: [bootstrapCheck(() => state.isReady)],
      externalAddress: () => `${host}:${state.port}`,
    }),
  );
  const serving = stack.use(await listen(assembled.apiServer, parts));
  state.port = serving.port;
  await bootstrap(assembled, serving.port, options);
  stack.use(assembled.startControllers());
  const url = `https://${host}:${serving.port}`;
  const publish = () => writeAdminKubeconfig(parts.pki, url, options);
  const kubeconfig = await publish();
  stack.use(renewCertificates({ ...parts, serving, publish, onError: options.onError }));
  state.isReady = true;
  return started({ url, kubeconfig, serving, owned: stack.move() });
}

function started(running: {
  readonly url: string;
  readonly kubeconfig: string;
  readonly serving: Serving;
  readonly owned: AsyncDisposableStack;
}): LocalServer {
  const { url, kubeconfig, serving, owned } = running;
  return {
    url,
    kubeconfig,
    async stop() {
      await serving.stop();
      await owned.disposeAsync();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The store first: it has the lock of the folder. */
async function openData(options: FullOptions, stack: AsyncDisposableStack) {
  const { data, historyMs, now, address, tlsSans, serviceCidr } = options;
  const serviceIp = firstServiceAddress(serviceCidr);
  const store = stack.use(await openStore({ folder: data, historyMs, now }));
  const hosts = servingHosts({ address, serviceIp, tlsSans });
  const pki = await openLocalPki({ files: new PkiFiles(join(data, "pki")), hosts, now });
  return { store, pki };
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

async function bootstrap({ client }: Assembled, port: number, options: FullOptions): Promise<void> {
  await bootstrapCluster({
    client,
    signal: new AbortController().signal,
    advertised: { ip: advertisedAddress(options.address), port },
    serviceIp: firstServiceAddress(options.serviceCidr),
  });
}
