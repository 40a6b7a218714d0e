import { createHttpClient, type HttpClient, noLimits } from "@rookery/http";

const maxClients = 32;

/** Clients for proxied servers, by origin. Certificates are not verified, as in Kubernetes. */
export class ProxyClients implements AsyncDisposable {
  readonly #clients = new Map<string, HttpClient>();

  clientOf(origin: string): HttpClient {
    const known = this.#clients.get(origin);
    const tls = { rejectUnauthorized: false };
    const client = known ?? createHttpClient({ origin, tls, limits: noLimits });
    // Least recently used clients are evicted first.
    this.#clients.delete(origin);
    this.#clients.set(origin, client);
    const [oldest] = this.#clients;
    if (this.#clients.size > maxClients && oldest) {
      this.#clients.delete(oldest[0]);
      void oldest[1].close();
    }
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }
}
