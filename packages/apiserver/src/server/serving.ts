import { createHttpServer, type Handler, type HttpServer, type ServerLimits } from "@rookery/http";
import type { ClusterAuthenticationSource } from "../authentication/cluster-authentication.ts";
import { describeRequest, type OnError } from "../pipeline/recovery.ts";
import type { Timers } from "../timers.ts";

export interface ServingOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** The serving certificate and its key, in PEM. */
  readonly tls: { readonly cert: string; readonly key: string };
  readonly limits?: ServerLimits;
  /** How long the server goes on after /readyz began to fail, so that all have seen it. None. */
  readonly shutdownDelayMs?: number;
  /** How long requests on their way may take then. 10 s. */
  readonly shutdownGraceMs?: number;
  /** How often the cluster's authentication is read again. 60 s. */
  readonly reloadIntervalMs?: number;
}

/** A server that listens. Disposing of it stops it without delay and grace. */
export interface Serving extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** New connections get this certificate; those that are open go on with theirs. */
  replaceCertificate(tls: { readonly cert: string; readonly key: string }): void;
  /** Lets /readyz fail, waits the delay, lets requests on their way finish, and closes. */
  stop(): Promise<void>;
}

export interface ServingParts {
  readonly handler: Handler;
  readonly cluster: ClusterAuthenticationSource | undefined;
  readonly onError: OnError;
  readonly timers: Timers;
  /** Aborted when stopping begins: /readyz fails. */
  readonly stopping: AbortController;
  /** Aborted after the delay: what would go on for long ends. */
  readonly draining: AbortController;
}

/** 1 MiB, as Go's server takes. */
const maxHeaderSize = 1024 * 1024;

/** Client certificates are asked for, never demanded: who they are of is authentication's to say. */
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

/** Every authority whose certificates some authenticator looks at. */
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
    const { shutdownDelayMs = 0, shutdownGraceMs } = this.#options;
    this.#parts.stopping.abort();
    if (shutdownDelayMs > 0) {
      await new Promise<void>((resolve) => this.#parts.timers.setTimer(resolve, shutdownDelayMs));
    }
    await this.#close(shutdownGraceMs);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#parts.stopping.abort();
    return this.#close(0);
  }

  async #close(graceMs: number | undefined): Promise<void> {
    this.#reload?.stop();
    this.#forget();
    this.#parts.draining.abort();
    await this.#server.close(graceMs === undefined ? {} : { graceMs });
  }

  /** One after another: a slow one is not overtaken. */
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
    }, this.#options.reloadIntervalMs ?? 60_000);
  }
}
