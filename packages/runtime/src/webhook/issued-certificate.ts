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
import type { CertificateSource } from "../http-server/certificate-source.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import { CertificateSecret, type SecretClient } from "./certificate-secret.ts";

/** On Secrets of issued certificates: who removes a provider tells them from those of users. */
export const issuedSecretLabels = { "rookery.dev/issued-certificate": "serving" } as const;

/** The Secret of the certificate that a manager issues for a Service. */
export function issuedSecretName(service: string): string {
  return `${service}-cert`;
}

type Policy = Omit<ServingCertificateOptions, "load" | "save" | "publish" | "serve">;

export interface IssuedCertificateOptions extends Policy {
  readonly secrets: SecretClient;
  /** Where all replicas keep certificates and keys; it is made where there is none. */
  readonly secret: Required<ObjectKey>;
  /**
   * Puts the authorities where API servers read them; see `caBundleInjector`. Writes nothing where
   * nothing differs.
   */
  readonly publish: (caBundle: string, signal: AbortSignal) => Promise<void>;
  /** How often to look whether others changed something, in milliseconds. 20 s. */
  readonly resyncMs?: number;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
}

/** Well within the time that clients have to notice a new bundle. */
const defaultResyncMs = 20_000;
const attemptMs = 30_000;
const shortestRetryMs = 500;
const longestRetryMs = 60_000;

/**
 * A certificate that this process issues for itself, together with the other replicas: who is first
 * stores the next step, the others take it up. Authorities overlap, so that no API server ever meets
 * a certificate that it does not trust.
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
        // One from before there was the label; an empty one is somebody's to fill.
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

  /** Does what is due; returns for how long there is nothing to do. */
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
    // Another replica was faster: what it did is looked at right away.
    if (isConflict(error) || isAlreadyExists(error)) return 0;
    this.#logger.error(error, "Could not see to the certificate, will try again");
    this.#failures += 1;
    return Math.min(longestRetryMs, shortestRetryMs * 2 ** (this.#failures - 1));
  }
}
