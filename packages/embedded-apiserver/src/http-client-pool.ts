import { createHttpClient, type HttpClient, type HttpClientOptions } from "@rookery/http";

/** HTTP clients by key. Beyond `size`, the least recently used client is closed. */
export class HttpClientPool implements AsyncDisposable {
  readonly #size: number;
  readonly #clients = new Map<string, HttpClient>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string, options: () => HttpClientOptions): HttpClient {
    const client = this.#clients.get(key) ?? createHttpClient(options());
    this.#clients.delete(key);
    this.#clients.set(key, client);
    const [oldest] = this.#clients;
    if (this.#clients.size > this.#size && oldest) {
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
