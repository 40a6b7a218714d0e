import type { ClientConfig, Transport } from "@rookery/client";
import type { Interceptor } from "@rookery/http";
import type { HealthCheck, Runnable } from "@rookery/runtime";
import { createAppFiles } from "./app-files/app-files.ts";
import { appTokenOf } from "./app-files/app-kubeconfig.ts";
import { appCertificateNames } from "./certificates/certificate-names.ts";
import { createProxyState, type ProxyState } from "./certificates/proxy-state.ts";
import {
  createServingCertificates,
  type ServingCertificates,
} from "./certificates/serving-certificates.ts";
import { readText } from "./files.ts";
import { givesToken } from "./flags/check-flags.ts";
import { actAsProxy } from "./identity/proxy-identity.ts";
import { passAppIdentity } from "./identity/untrusted-headers.ts";
import type { Listener } from "./listener.ts";
import { createProxyListener } from "./proxy-handler.ts";
import type { ProxyParts } from "./proxy-parts.ts";
import { createRenaming } from "./renaming.ts";
import { createNarrowing } from "./scope/create-narrowing.ts";
import { createUpstream } from "./upstream.ts";

/** One side of a proxy: its listener, its upstream and its other runnables. */
export interface ProxySide<Upstream> {
  readonly listener: Listener;
  readonly upstream: Upstream;
  readonly runnables: readonly Runnable[];
  readonly readiness: readonly (readonly [name: string, check: HealthCheck])[];
  /** Aborts active requests. */
  close(): Promise<void>;
}

/**
 * The side between the app and the API server. Rejects with ProxyFileError, and with
 * MissingAppTokenError if the app needs a token.
 */
export async function createAppSide(
  parts: ProxyParts,
  config: ClientConfig,
): Promise<ProxySide<Transport>> {
  const { flags } = parts;
  const state = createProxyState(flags.stateDir || undefined);
  const upstream = createUpstream(config, flags.identity);
  const certificates = flags.plainHttp ? undefined : certificatesOf(parts, state);
  const identify = await identifying(parts, state);
  const narrowing = await createNarrowing(parts, { config, state });
  const narrow = narrowing?.interceptor;
  const listener = await createAppListener(parts, { upstream, certificates, identify, narrow });
  const files = createAppFiles({
    ...parts,
    server: () => listener.url,
    authorities: async () => certificates?.authorities(),
    namespace: config.namespace,
    ...withToken(parts, config, state),
    ...(flags.caFileOut && { caFile: flags.caFileOut }),
    ...(flags.appKubeconfigOut && { kubeconfig: flags.appKubeconfigOut }),
    ...(flags.appServiceAccountDir && { serviceAccountFolder: flags.appServiceAccountDir }),
  });
  return {
    listener,
    upstream,
    runnables: [...(narrowing?.runnables ?? []), listener, files],
    close: async () => {
      await upstream.destroy();
      await narrowing?.close();
    },
    readiness: [
      ...(narrowing?.readiness ?? []),
      ["app-listener", listener.startedCheck],
      ["app-files", files.writtenCheck],
    ],
  };
}

function certificatesOf(parts: ProxyParts, state: ProxyState): ServingCertificates {
  const { tlsCertDir, tlsName, bindAddress } = parts.flags;
  const names = appCertificateNames(bindAddress?.host ?? "", tlsName);
  return createServingCertificates({ ...parts, state, names, folder: tlsCertDir });
}

async function identifying({ flags }: ProxyParts, state: ProxyState): Promise<Interceptor> {
  if (flags.identity === "app") return passAppIdentity();
  return actAsProxy({
    ...(givesToken(flags) && { token: await state.appToken() }),
    acceptCertificates: flags.clientCaFile !== "",
  });
}

function withToken(parts: ProxyParts, config: ClientConfig, state: ProxyState) {
  const token = appTokenOf(parts.flags, config, state);
  return token && { token };
}

interface AppListenerOptions {
  readonly upstream: Transport;
  readonly certificates: ServingCertificates | undefined;
  readonly identify: Interceptor;
  readonly narrow: Interceptor | undefined;
}

async function createAppListener(
  parts: ProxyParts,
  { upstream, certificates, identify, narrow }: AppListenerOptions,
): Promise<Listener> {
  const { flags } = parts;
  const { bindAddress = { host: "127.0.0.1", port: 0 }, clientCaFile } = flags;
  return createProxyListener(parts, "app", {
    address: bindAddress,
    handler: {
      identify,
      rename: createRenaming(parts).groups,
      narrow,
      upstream: upstream.handler,
      upstreamName: "the API server",
      maxRequestBody: flags.maxRequestBody,
    },
    ...(certificates && { certificates: certificates.source }),
    ...(clientCaFile !== "" && { clientCa: await readText(clientCaFile) }),
  });
}
