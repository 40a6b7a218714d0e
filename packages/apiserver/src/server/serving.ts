import { createHttpServer, type Handler, type HttpServer, type ServerLimits } from "@rookery/http";
import type { ClusterAuthenticationSource } from "../authentication/cluster-authentication.ts";
import { describeRequest, type OnError } from "../pipeline/recovery.ts";
import type { Timers } from "../timers.ts";

export interface ServingOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The serving certificate and key in PEM. */
  readonly tls: { readonly cert: string; readonly key: string };
  readonly limits?: ServerLimits;
  /** How long requests are still served after /readyz fails; none by default. */
  readonly shutdownDelayMs?: number;
}

/** A listening server. Disposal stops it without delay and grace. */
export interface Serving extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** For new connections; open ones keep theirs. */
  replaceCertificate(tls: { readonly cert: string; readonly key: string }): void;
  /** Fails /readyz, waits for the delay, finishes requests in flight, and closes. */
  stop(): Promise<void>;
}

export interface ServingParts {
  readonly handler: Handler;
  readonly cluster: ClusterAuthenticationSource | undefined;
  readonly onError: OnError;
  readonly timers: Timers;
  /** Aborted first: /readyz fails. */
  readonly stopping: AbortController;
  /** Aborted after the delay: long-running requests end. */
  readonly draining: AbortController;
}

const reloadIntervalMs = 60_000;
/** 1 MiB, as in Go's server. */
const maxHeaderSize = 1024 * 1024;

/** Client certificates are optional: authentication verifies them. */
export async function startServing(parts: ServingParts, options: ServingOptions): Promise<Serving> {
  const { handler, cluster, onError } = parts;
  await cluster?.reload();
  const server = createHttpServer({
    handler,
    tls: { ...options.tls, clientCa: clientCaOf(cluster) },
    limits: { maxHeaderSize, ...options.limits },
    onError: (error, request) => onError(error, request && describeRequest(request)),
  });
  await server.listen(options);
  return new ListeningServer(server, parts, options);
}

/** The client CAs of all authenticators. */
function clientCaOf(cluster: ClusterAuthenticationSource | undefined): string[] {
  const { clientCa, requestHeader } = cluster?.current ?? {};
  return [clientCa, requestHeader?.clientCa].filter((bundle) => bundle !== undefined);
}

class ListeningServer implements Serving {
  readonly #server: HttpServer;
  readonly #parts: ServingParts;
  readonly #options: ServingOptions;
  readonly #forget: () => void;
  #tls: ServingOptions["tls"];
  #reload: { stop(): void } | undefined;

  constructor(server: HttpServer, parts: ServingParts, options: ServingOptions) {
    this.#server = server;
    this.#parts = parts;
    this.#options = options;
    this.#tls = options.tls;
    this.#forget = parts.cluster?.onChange(() => this.replaceCertificate(this.#tls)) ?? (() => {});
    this.#scheduleReload();
  }

  get url(): string {
    return this.#server.url;
  }

  get port(): number {
    return this.#server.address.port;
  }

  replaceCertificate(tls: ServingOptions["tls"]): void {
    this.#tls = tls;
    this.#server.replaceCertificate({ ...tls, clientCa: clientCaOf(this.#parts.cluster) });
  }

  async stop(): Promise<void> {
    const { shutdownDelayMs = 0 } = this.#options;
    this.#parts.stopping.abort();
    if (shutdownDelayMs > 0) {
      await new Promise<void>((resolve) => this.#parts.timers.setTimer(resolve, shutdownDelayMs));
    }
    await this.#close({});
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#parts.stopping.abort();
    return this.#close({ graceMs: 0 });
  }

  async #close(options: { readonly graceMs?: number }): Promise<void> {
    this.#reload?.stop();
    this.#forget();
    this.#parts.draining.abort();
    await this.#server.close(options);
  }

  /** Schedules the next reload after the current one. */
  #scheduleReload(): void {
    const { cluster, timers, onError } = this.#parts;
    if (!cluster) return;
    this.#reload = timers.setTimer(() => {
      cluster
        .reload()
        .catch((error: unknown) => onError(error))
        .finally(() => {
          if (!this.#parts.stopping.signal.aborted) this.#scheduleReload();
        });
    }, reloadIntervalMs);
  }
}
