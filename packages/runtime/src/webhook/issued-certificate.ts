import { isAlreadyExists, isConflict, type ObjectKey } from "@rookery/kube";
import {
  type CertificateAndKey,
  createServingCertificate,
  type ServingCertificate,
  type ServingCertificateOptions,
} from "@rookery/pki";
import { limitTime } from "../clock/abort.ts";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { pause } from "../clock/sleep.ts";
import type { CertificateSource } from "../http-server/certified-server.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import { CertificateSecret, type SecretClient } from "./certificate-secret.ts";

/** The labels of Secrets with issued certificates, by which the operator deletes them together with the provider. */
export const issuedSecretLabels = { "rookery.dev/issued-certificate": "serving" } as const;

/** The Secret of the certificate that a manager issues for a Service. */
export function issuedSecretName(service: string): string {
  return `${service}-cert`;
}

type Policy = Omit<ServingCertificateOptions, "load" | "save" | "publish" | "serve">;

export interface IssuedCertificateOptions extends Policy {
  readonly secrets: SecretClient;
  /** The Secret in which all replicas keep certificates and keys; it is created if it does not exist. */
  readonly secret: Required<ObjectKey>;
  /** Writes the authorities where API servers read them, if they differ: a CaBundleInjector. */
  readonly publish: (caBundle: string, signal: AbortSignal) => Promise<void>;
  /** The interval of reads for changes of other replicas, in milliseconds; 20 s by default. */
  readonly resyncMs?: number;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
}

/** Well within the time in which clients have to read a new bundle. */
const defaultResyncMs = 20_000;
const attemptMs = 30_000;
const shortestRetryMs = 500;
const longestRetryMs = 60_000;

/**
 * A certificate that the replicas issue themselves: the first one stores the next step of a rotation, the others
 * continue from it. Authorities overlap, so that API servers trust the certificate at any time.
 */
export function createIssuedCertificate(options: IssuedCertificateOptions): CertificateSource {
  return new IssuedCertificate(options);
}

class IssuedCertificate implements CertificateSource {
  readonly #options: IssuedCertificateOptions;
  readonly #clock: MonotonicClock;
  readonly #logger: Logger;
  readonly #secret: CertificateSecret;
  #attempt: AbortSignal = new AbortController().signal;
  #failures = 0;

  constructor(options: IssuedCertificateOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#logger = (options.logger ?? silentLogger).withName("issued-certificate");
    this.#secret = new CertificateSecret(options.secrets, options.secret, {
      labels: issuedSecretLabels,
    });
  }

  async run(
    signal: AbortSignal,
    serve: (pair: CertificateAndKey) => void | Promise<void>,
  ): Promise<void> {
    const certificate = this.#certificate(serve);
    while (!signal.aborted) {
      await pause(await this.#reconcile(certificate, signal), this.#clock, signal);
    }
  }

  #certificate(serve: (pair: CertificateAndKey) => void | Promise<void>): ServingCertificate {
    return createServingCertificate({
      ...this.#options,
      load: async () => {
        const data = await this.#secret.load(this.#attempt);
        // Earlier versions wrote no label. An empty Secret is left to its writer.
        if (data !== undefined) await this.#secret.label(this.#attempt);
        return data;
      },
      save: (data) => this.#secret.save(data, this.#attempt),
      publish: (caBundle) => this.#options.publish(caBundle, this.#attempt),
      serve: async (leaf) => {
        await serve(leaf);
        this.#logger.info("Serving a new certificate");
      },
    });
  }

  /** Takes the step that is due; returns the delay before the next one. */
  async #reconcile(certificate: ServingCertificate, signal: AbortSignal): Promise<number> {
    const { now = () => new Date(), resyncMs = defaultResyncMs } = this.#options;
    try {
      using attempt = limitTime(signal, { clock: this.#clock, milliseconds: attemptMs });
      this.#attempt = attempt.signal;
      const next = await certificate.reconcile();
      this.#failures = 0;
      return Math.min(resyncMs, Math.max(0, next.getTime() - now().getTime()));
    } catch (error) {
      return signal.aborted ? 0 : this.#retryAfter(error);
    }
  }

  #retryAfter(error: unknown): number {
    // Another replica was faster: its result is read at once.
    if (isConflict(error) || isAlreadyExists(error)) return 0;
    this.#logger.error(error, "Could not renew the certificate, will try again");
    this.#failures += 1;
    return Math.min(longestRetryMs, shortestRetryMs * 2 ** (this.#failures - 1));
  }
}
