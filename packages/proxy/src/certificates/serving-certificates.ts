import { join } from "node:path";
import type { CertificateNames } from "@rookery/pki";
import { type CertificateSource, createCertificateFiles } from "@rookery/runtime";
import type { ProxyParts } from "../proxy-parts.ts";
import { readText } from "../read-text.ts";
import type { ProxyState } from "./proxy-state.ts";
import { createSelfIssuedCertificate } from "./self-issued-certificate.ts";

export interface ServingCertificatesOptions
  extends Pick<ProxyParts, "metrics" | "logger" | "clock"> {
  /** Holds tls.crt, tls.key and, for clients, ca.crt; "" where the proxy issues its own. */
  readonly folder: string;
  readonly names: Required<Pick<CertificateNames, "commonName" | "dnsNames" | "ipAddresses">>;
  readonly state: ProxyState;
}

/** What a listener shows, and whom its clients have to trust. */
export interface ServingCertificates {
  readonly source: CertificateSource;
  /** In PEM. Rejects with ProxyFileError. */
  authorities(): Promise<string>;
}

/** The certificate in a folder, or one that the proxy issues for itself. */
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
