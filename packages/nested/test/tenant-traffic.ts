import { get } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { parse } from "yaml";

interface KubeconfigFile {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  }[];
  readonly users: readonly {
    readonly user: {
      readonly "client-certificate-data": string;
      readonly "client-key-data": string;
    };
  }[];
}

/** What a kubeconfig says, for a connection without a client. */
export function connectionOf(kubeconfig: string) {
  const { clusters, users } = parse(kubeconfig) as KubeconfigFile;
  const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
  const decode = (text = "") => Buffer.from(text, "base64").toString("utf8");
  return {
    server: cluster?.server ?? "",
    ca: decode(cluster?.["certificate-authority-data"]),
    cert: decode(user?.["client-certificate-data"]),
    key: decode(user?.["client-key-data"]),
  };
}

export type Connection = ReturnType<typeof connectionOf>;

/** Asks over a connection of its own; returns the serial number of the certificate that it was served with. */
function askOnce({ server, ...tls }: Connection, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // The only member of an etcd is away for as long as its pod is replaced; an API server waits 60 s for it, and then refuses.
    const settings = { ...tls, agent: false as const, timeout: 90_000 };
    const request = get(`${server}${path}`, settings, (response) => {
      const socket = response.socket as unknown as {
        getPeerCertificate(): { readonly serialNumber: string };
      };
      const { serialNumber } = socket.getPeerCertificate();
      response.resume();
      response.once("end", () => {
        if (response.statusCode === 200) resolve(serialNumber);
        else reject(new Error(`${path} answers ${response.statusCode}`));
      });
    });
    request.once("timeout", () => request.destroy(new Error(`${path} does not answer`)));
    request.once("error", reject);
  });
}

/** Reads what etcd keeps, again and again, each time over a new connection, until it is ended. */
export class TenantTraffic implements AsyncDisposable {
  readonly failures: string[] = [];
  readonly served = new Set<string>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** With a connection that it keeps, or with what it finds out anew each time. */
  constructor(connection: Connection | (() => Promise<Connection>)) {
    this.#running = this.#run(
      typeof connection === "function" ? connection : async () => connection,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(connect: () => Promise<Connection>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        this.served.add(await askOnce(await connect(), "/api/v1/namespaces/default"));
      } catch (error) {
        this.failures.push(`${new Date().toISOString()} ${error}`);
      }
      await delay(200, undefined, { signal }).catch(() => {});
    }
  }
}
