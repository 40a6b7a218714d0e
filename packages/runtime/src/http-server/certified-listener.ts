import { ListenError } from "@rookery/http";
import type { CertificateAndKey } from "@rookery/pki";
import { aborted } from "../clock/abort.ts";
import type { CertificateSource } from "./certificate-source.ts";

/** A certificate and its key, in PEM. */
export interface ServedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A server that listens. Disposing of it stops it without grace. */
export interface Listener extends AsyncDisposable {
  readonly url: string;
  /** New connections get this certificate; those that are open go on with theirs. */
  replaceCertificate(tls: ServedCertificate): void;
  /** Lets requests on their way finish, and closes. */
  stop(): Promise<void>;
}

export interface CertifiedListenerOptions {
  /** Without them it listens in the clear. */
  readonly certificates?: CertificateSource;
  /** A ListenError ends the run; after any other error the source tries again. */
  readonly listen: (tls: ServedCertificate | undefined) => Promise<Listener>;
  readonly onListening: (url: string) => void;
  /** Called when it is to stop, before it waits for requests on their way. */
  readonly onStop?: () => void;
}

/** Listens with certificates that come from a source, and are replaced while it runs. */
export class CertifiedListener {
  readonly #options: CertifiedListenerOptions;
  readonly #listening = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #listener: Listener | undefined;

  constructor(options: CertifiedListenerOptions) {
    this.#options = options;
    this.#failed.promise.catch(() => {});
  }

  /** Where it listens; "" before it does. */
  get url(): string {
    return this.#listener?.url ?? "";
  }

  /** Resolves when it listens. */
  waitForReady(): Promise<void> {
    return this.#listening.promise;
  }

  /** Runs until the signal is aborted. Rejects where it cannot listen, or its source fails. */
  async run(signal: AbortSignal): Promise<void> {
    const { certificates, onStop } = this.#options;
    // The certificate is looked after until the last request is answered.
    const stopped = new AbortController();
    const source = certificates
      ? certificates.run(stopped.signal, (pair) => this.#serve(pair))
      : this.#serve().then(() => aborted(stopped.signal));
    try {
      await Promise.race([aborted(signal), source, this.#failed.promise]);
      onStop?.();
      await this.#listener?.stop();
    } finally {
      stopped.abort();
      await source;
      // It may have started in the very moment in which it was to stop.
      await this.#listener?.[Symbol.asyncDispose]();
    }
  }

  /** The first certificate starts the server; later ones are for new connections. */
  async #serve(pair?: CertificateAndKey): Promise<void> {
    const tls = pair && { cert: pair.certificate, key: pair.key };
    if (this.#listener && tls) return this.#listener.replaceCertificate(tls);
    this.#listener = await this.#listen(tls);
    this.#options.onListening(this.url);
    this.#listening.resolve();
  }

  /** A source tries again what fails; an address that cannot be had is the server's failure. */
  async #listen(tls: ServedCertificate | undefined): Promise<Listener> {
    try {
      return await this.#options.listen(tls);
    } catch (error) {
      if (error instanceof ListenError) this.#failed.reject(error);
      throw error;
    }
  }
}
