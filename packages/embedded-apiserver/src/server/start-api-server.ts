import { join } from "node:path";
import type {
  ApiServer,
  Audit,
  Authorizer,
  HealthCheck,
  ServedGroup,
  Serving,
} from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import { silentLogger } from "@rookery/runtime";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.ts";
import { bootstrapCluster } from "../post-start-hooks/bootstrap.ts";
import { startHooks } from "../post-start-hooks/start-hooks.ts";
import type { Access } from "./access.ts";
import type { Parts } from "./api-server-options.ts";
import {
  type ApiServerOptions,
  type FullApiServerOptions,
  withDefaults,
} from "./api-server-options.ts";
import { type Assembled, assemble } from "./assemble.ts";
import { openAuditLog } from "./audit-log.ts";
import { openCertificateFiles } from "./certificate-files.ts";
import { renewalIntervals, renewCertificates, servingTls } from "./certificate-renewal.ts";
import { advertisedAddress, firstServiceAddress, reachableHost, servingHosts } from "./hosts.ts";
import { type LocalPki, openLocalPki } from "./local-pki.ts";
import { PkiFiles } from "./pki-files.ts";

/** A listening API server. Disposing of it ends it at once. */
export interface EmbeddedApiServer extends AsyncDisposable {
  /** Such as "https://127.0.0.1:6443". */
  readonly url: string;
  readonly port: number;
  readonly pki: LocalPki;
  /** The server's own client: as an administrator, in-process. */
  readonly client: Client;
  /** The current groups; a new list after each change. */
  readonly groups: () => readonly ServedGroup[];
  readonly tokens: ServiceAccountTokens;
  readonly authorize: Authorizer;
  /** Lets /readyz succeed. */
  ready(): void;
  /** Finishes requests in flight. */
  stop(): Promise<void>;
}

/**
 * Starts kube-apiserver without controllers and nodes. Resolves when it listens and the cluster is
 * bootstrapped. Rejects with a ListenError.
 */
export async function startApiServer(given: ApiServerOptions): Promise<EmbeddedApiServer> {
  await using stack = new AsyncDisposableStack();
  const options = withDefaults(given);
  const parts = { pki: await openPki(options), options };
  const state = { port: options.port, isReady: false };
  const host = reachableHost(options.address);
  const assembled = stack.use(
    assemble(parts, {
      audit: openAudit(options, stack),
      readinessChecks: [bootstrapCheck(() => state.isReady)],
      externalAddress: () => `${host}:${state.port}`,
      podStreams: options.podStreams,
    }),
  );
  const serving = stack.use(await listen(assembled.apiServer, parts));
  const { port } = serving;
  state.port = port;
  await bootstrap(assembled, port, options);
  const { client, groups, access } = assembled;
  const { store, now, onError } = options;
  const { cluster } = access;
  stack.use(startHooks({ store, client, now, logger: silentLogger, cluster, onError }));
  const url = `https://${host}:${port}`;
  stack.use(await keepCertificates({ ...parts, cluster, serving, url }));
  const owned = stack.move();
  return {
    url,
    port,
    client,
    groups,
    pki: parts.pki,
    tokens: access.tokens,
    authorize: access.authorize,
    ready() {
      state.isReady = true;
    },
    stop: () => serving.stop(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function openPki(options: FullApiServerOptions): Promise<LocalPki> {
  const { data, now, address, tlsSans, serviceCidr, certificates } = options;
  if (certificates) return openCertificateFiles(certificates, now);
  const serviceIp = firstServiceAddress(serviceCidr);
  const hosts = servingHosts({ address, serviceIp, tlsSans });
  return openLocalPki({ files: new PkiFiles(join(data, "pki")), hosts, now });
}

function openAudit(
  { auditLogPath, onError }: FullApiServerOptions,
  stack: AsyncDisposableStack,
): Audit | undefined {
  if (auditLogPath === undefined) return undefined;
  return stack.use(openAuditLog(auditLogPath, onError)).audit;
}

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
  options: FullApiServerOptions,
): Promise<void> {
  const { store, now, auditLogPath, storageClass, hasLocalPods } = options;
  await bootstrapCluster({
    client,
    storageClass,
    hasLocalPods,
    signal: new AbortController().signal,
    advertised: { ip: advertisedAddress(options.address), port },
    serviceIp: firstServiceAddress(options.serviceCidr),
    // An audit log must show every request of the bootstrap.
    ...(auditLogPath === undefined && { directWrites: { store, now } }),
  });
}

async function keepCertificates(
  parts: Parts & Pick<Access, "cluster"> & { serving: Serving; url: string },
): Promise<Disposable> {
  const { pki, options, cluster, serving, url } = parts;
  const { certificates, onError, onCertificates } = options;
  const publish = () => onCertificates(url, pki);
  await publish();
  const intervalMs = renewalIntervals[certificates ? "foreign" : "own"];
  return renewCertificates({ pki, serving, cluster, publish, onError, intervalMs });
}
