import { createHttpServer, type Handler, type HttpRequest, type ServerLimits } from "@rookery/http";
import type { BindAddress } from "./bind-address.ts";
import {
  CertifiedListener,
  type CertifiedListenerOptions,
  type Listener,
  type ServedCertificate,
} from "./certified-listener.ts";
import { listenOn } from "./listen-on.ts";

export interface CertifiedServerOptions extends Omit<CertifiedListenerOptions, "listen"> {
  readonly address: BindAddress;
  /** Without certificates it speaks HTTP/1.1; with them HTTP/1.1 and HTTP/2. */
  readonly handler: Handler;
  /** PEM; asks clients for certificates. */
  readonly clientCa?: string;
  readonly limits?: ServerLimits;
  /** How long requests on their way may take when it stops, in milliseconds. */
  readonly graceMs: number;
  readonly onError: (error: unknown, request?: HttpRequest) => void;
}

/** A server whose certificates come from a source, and are replaced while it runs. */
export function createCertifiedServer(options: CertifiedServerOptions): CertifiedListener {
  return new CertifiedListener({ ...options, listen: (tls) => serve(tls, options) });
}

async function serve(
  certificate: ServedCertificate | undefined,
  options: CertifiedServerOptions,
): Promise<Listener> {
  const { address, handler, clientCa, limits, graceMs, onError } = options;
  const withClientCa = (tls: ServedCertificate) => ({
    ...tls,
    ...(clientCa !== undefined && { clientCa }),
  });
  const server = createHttpServer({
    handler,
    ...(certificate && { tls: withClientCa(certificate) }),
    ...(limits && { limits }),
    onError,
  });
  await listenOn(address.host, (host) => server.listen({ host, port: address.port }));
  return {
    url: server.url,
    replaceCertificate: (tls) => server.replaceCertificate(withClientCa(tls)),
    stop: () => server.close({ graceMs }),
    [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }),
  };
}
