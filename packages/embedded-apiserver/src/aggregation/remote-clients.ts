import { type HttpClient, noLimits } from "@rookery/http";
import type { CertificateAndKey } from "@rookery/pki";
import { HttpClientPool } from "../http-client-pool.ts";
import type { Address } from "../webhooks/service-resolver.ts";
import { type ApiService, serviceOf } from "./api-service.ts";

const maxClients = 64;

export class RemoteClients implements AsyncDisposable {
  readonly #certificate: () => CertificateAndKey;
  readonly #clients = new HttpClientPool(maxClients);

  constructor(certificate: () => CertificateAndKey) {
    this.#certificate = certificate;
  }

  /** `verify` is off for probes: an attacker could only falsify a condition. */
  clientOf(apiService: ApiService, address: Address, verify = true): HttpClient {
    const { certificate, key } = this.#certificate();
    const { caBundle = "", insecureSkipTLSVerify = false } = apiService.spec ?? {};
    const { name = "", namespace = "" } = serviceOf(apiService) ?? {};
    const servername = `${name}.${namespace}.svc`;
    const isTrusting = insecureSkipTLSVerify || !verify;
    const id = JSON.stringify([address, servername, caBundle, isTrusting, certificate]);
    return this.#clients.get(id, () => {
      const ca = Buffer.from(caBundle, "base64").toString("utf8");
      const { host, port } = address;
      return {
        origin: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
        limits: noLimits,
        tls: {
          cert: certificate,
          key,
          servername,
          ...(ca && { ca }),
          ...(isTrusting && { rejectUnauthorized: false }),
        },
      };
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#clients[Symbol.asyncDispose]();
  }
}
