import { createHttpClient, type HttpClient, noLimits } from "@rookery/http";
import type { Address } from "../webhooks/service-resolver.ts";
import { type ApiService, serviceOf } from "./api-service.ts";

/** The client certificate that remote servers trust to name users. */
export interface FrontProxyCertificate {
  readonly certificate: string;
  readonly key: string;
}

const maxClients = 64;

export class RemoteClients implements AsyncDisposable {
  readonly #certificate: () => FrontProxyCertificate;
  readonly #clients = new Map<string, HttpClient>();

  constructor(certificate: () => FrontProxyCertificate) {
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
    const known = this.#clients.get(id);
    if (known) return known;
    const ca = Buffer.from(caBundle, "base64").toString("utf8");
    const { host, port } = address;
    const client = createHttpClient({
      origin: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
      limits: noLimits,
      tls: {
        cert: certificate,
        key,
        servername,
        ...(ca && { ca }),
        ...(isTrusting && { rejectUnauthorized: false }),
      },
    });
    this.#keep(id, client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #keep(id: string, client: HttpClient): void {
    this.#clients.set(id, client);
    const [oldest] = this.#clients;
    if (this.#clients.size <= maxClients || !oldest) return;
    this.#clients.delete(oldest[0]);
    void oldest[1].close();
  }
}
