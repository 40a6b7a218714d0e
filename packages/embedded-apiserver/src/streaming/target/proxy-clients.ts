import { createHttpClient, type HttpClient, noLimits } from "@rookery/http";

const maxClients = 32;

/** Connections to what listens in pods, by origin. Certificates are not looked at, as in Kubernetes. */
export class ProxyClients implements AsyncDisposable {
  readonly #clients = new Map<string, HttpClient>();

  clientOf(origin: string): HttpClient {
    const known = this.#clients.get(origin);
    const tls = { rejectUnauthorized: false };
    const client = known ?? createHttpClient({ origin, tls, limits: noLimits });
    // The one that was used last is the last to go.
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
