import { join } from "node:path";
import { type CertificateNames, createServingCertificate } from "@rookery/pki";
import {
  type CertificateSource,
  createCertificateFiles,
  type Logger,
  type MonotonicClock,
} from "@rookery/runtime";
import { readText } from "../files.ts";
import type { ProxyParts } from "../proxy-parts.ts";
import type { ProxyState } from "./proxy-state.ts";
import { waitUntil } from "./wait-until.ts";

export interface ServingCertificatesOptions
  extends Pick<ProxyParts, "metrics" | "logger" | "clock"> {
  /** With tls.crt, tls.key and, for clients, ca.crt; "" where the proxy issues its own. */
  readonly folder: string;
  readonly names: Required<Pick<CertificateNames, "commonName" | "dnsNames" | "ipAddresses">>;
  readonly state: ProxyState;
}

/** The certificates of a listener, and the authorities for its clients. */
export interface ServingCertificates {
  readonly source: CertificateSource;
  /** In PEM. Rejects with ProxyFileError. */
  authorities(): Promise<string>;
}

/** The certificate of a folder, or a self-issued one. */
export function createServingCertificates(
  options: ServingCertificatesOptions,
): ServingCertificates {
  const { folder, metrics, logger } = options;
  if (folder !== "") {
    const source = createCertificateFiles({ folder, metrics: metrics.certificates, logger });
    return { source, authorities: () => readText(join(folder, "ca.crt")) };
  }
  const source = createSelfIssuedCertificate({ ...options, ...options.names });
  return { source, authorities: async () => source.authorities ?? "" };
}

interface SelfIssuedOptions {
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly state: ProxyState;
  readonly logger: Logger;
  readonly clock: MonotonicClock;
}

/** A certificate source with the authorities for its clients. */
interface SelfIssuedCertificate extends CertificateSource {
  /** In PEM; undefined before the first certificate is served. */
  readonly authorities: string | undefined;
}

const retryMs = 5_000;
const longestWaitMs = 24 * 60 * 60 * 1000;
/** Clients in a pod read ca.crt once, so the authority must outlive them. */
const authorityLifetimeSeconds = 10 * 365 * 24 * 60 * 60;

/**
 * A certificate that the proxy issues and renews; its authority stays. An error is fatal at the
 * beginning, and retried later.
 */
export function createSelfIssuedCertificate(options: SelfIssuedOptions): SelfIssuedCertificate {
  const { state, logger, clock, commonName, dnsNames, ipAddresses } = options;
  let authorities: string | undefined;
  return {
    get authorities() {
      return authorities;
    },
    run: async (signal, serve) => {
      const certificate = createServingCertificate({
        commonName,
        dnsNames,
        ipAddresses,
        authorityLifetimeSeconds,
        load: () => state.loadCertificates(),
        save: (data) => state.saveCertificates(data),
        publish: async (caBundle) => {
          authorities = caBundle;
        },
        serve: async (leaf) => serve(leaf),
      });
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        let wait = retryMs;
        try {
          wait = (await certificate.reconcile()).getTime() - Date.now();
        } catch (error) {
          if (isFirst) throw error;
          logger.error(error, "Could not renew the certificate, will try again");
        }
        await waitUntil(Math.min(longestWaitMs, Math.max(0, wait)), clock, signal);
      }
    },
  };
}
