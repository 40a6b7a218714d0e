import { createHttpClient, type HttpClient, noLimits } from "@rookery/http";
import { createAppFiles } from "./app-files/app-files.ts";
import type { ProxySide } from "./app-side.ts";
import { certificateNames } from "./certificates/certificate-names.ts";
import { createProxyState } from "./certificates/proxy-state.ts";
import {
  createServingCertificates,
  type ServingCertificates,
} from "./certificates/serving-certificates.ts";
import { readText } from "./files.ts";
import type { ProxyFlagValues } from "./flags/proxy-flags.ts";
import { passAppIdentity } from "./identity/untrusted-headers.ts";
import type { Listener } from "./listener.ts";
import { createProxyListener } from "./proxy-handler.ts";
import type { ProxyParts } from "./proxy-parts.ts";
import { createRenaming } from "./renaming.ts";

/** An API server waits at most 30 s for a webhook. */
const answerMs = 60_000;
/** A review has the object twice, each as long as a request. */
const objectsOfReview = 3;

/**
 * The side between the API server and the app's webhooks; undefined unless flags enable it.
 * Rejects with ProxyFileError.
 */
export async function createCallbackSide(
  parts: ProxyParts,
): Promise<ProxySide<HttpClient> | undefined> {
  const { flags } = parts;
  if (!flags.callbackBindAddress) return undefined;
  const upstream = await createCallbackUpstream(flags);
  const certificates = createServingCertificates({
    ...parts,
    names: certificateNames("rookery-proxy-callbacks", flags.callbackName),
    folder: flags.callbackCertDir,
    state: createProxyState(flags.stateDir || undefined, "callback-"),
  });
  const listener = createCallbackListener(parts, upstream, certificates);
  const files = createAppFiles({
    ...parts,
    server: () => listener.url,
    authorities: () => certificates.authorities(),
    namespace: "",
    ...(flags.callbackCaFileOut && { caFile: flags.callbackCaFileOut }),
  });
  return {
    listener,
    upstream,
    close: () => upstream.destroy(),
    runnables: [listener, files],
    readiness: [["callback-listener", listener.startedCheck]],
  };
}

async function createCallbackUpstream(flags: ProxyFlagValues): Promise<HttpClient> {
  const { callbackUpstreamCaFile: file, callbackUpstreamServerName: servername } = flags;
  return createHttpClient({
    origin: new URL(flags.callbackUpstream).origin,
    tls: {
      ...(file !== "" && { ca: await readText(file) }),
      ...(servername !== "" && { servername }),
      ...(flags.callbackUpstreamInsecure && { rejectUnauthorized: false }),
    },
    timeouts: { headers: answerMs, body: answerMs },
    limits: noLimits,
  });
}

function createCallbackListener(
  parts: ProxyParts,
  upstream: HttpClient,
  certificates: ServingCertificates,
): Listener {
  const { flags } = parts;
  return createProxyListener(parts, "callbacks", {
    address: flags.callbackBindAddress ?? { host: "", port: 0 },
    handler: {
      rename: createRenaming(parts).callbacks,
      // Anybody in the cluster can call, so headers about users are not trusted here either.
      identify: passAppIdentity(),
      upstream: upstream.handler,
      upstreamName: "the app's webhooks",
      // An API server would retry within its own client's time, and then not report the reason.
      mayRetry: false,
      maxRequestBody: objectsOfReview * flags.maxRequestBody,
    },
    certificates: certificates.source,
  });
}
