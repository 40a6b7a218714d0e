import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect as connectTcp, createServer, type Server } from "node:net";
import { connect as connectTls } from "node:tls";
import { createProvider, silentLogger } from "@rookery/runtime";
import { type Kubernetes, waitFor } from "@rookery/testing";
import type { AggregatedApiServer } from "../../src/aggregated-api/add-aggregated-api.ts";
import { parseConciergeFlags } from "../../src/flags.ts";
import { setupConcierge } from "../../src/setup.ts";
import { type InstallationOptions, InstalledConcierge } from "../installed-concierge.ts";

/** Past the renewal of an authority of ten minutes, within the backdate of what is issued then. */
const agedMs = 299_500;
const relayCount = 8;

/** A concierge in this process, for whose certificate time can be moved on. */
export class AgingConcierge implements AsyncDisposable {
  readonly installed: InstalledConcierge;
  /** The names of the authorities whose certificates were served, in their order. */
  readonly authorities: string[] = [];
  readonly #kubernetes: Kubernetes;
  readonly #stop = new AbortController();
  readonly #relays: Relay[] = [];
  #server: AggregatedApiServer | undefined;
  #ended: Promise<void> = Promise.resolve();
  #offset = 0;

  private constructor(kubernetes: Kubernetes, installed: InstalledConcierge) {
    this.#kubernetes = kubernetes;
    this.installed = installed;
  }

  static async start(options: InstallationOptions): Promise<AgingConcierge> {
    const installed = await InstalledConcierge.apply(options);
    const concierge = new AgingConcierge(options.kubernetes, installed);
    await concierge.#run();
    const port = Number(new URL(concierge.#server?.url ?? "").port);
    for (let i = 0; i < relayCount; i++) concierge.#relays.push(await Relay.start(port));
    await installed.connect(concierge.#relays[0]?.port ?? 0);
    await concierge.#look();
    return concierge;
  }

  /** Makes the authority of the certificate due for its renewal. */
  age(): void {
    this.#offset = agedMs;
  }

  /**
   * Lets the API server connect at one address after another, hence shake hands with whatever is
   * served at the time, until it is told to end.
   */
  async reconnect(isOver: () => boolean): Promise<void> {
    for (let i = 1; !isOver(); i++) {
      const relay = this.#relays[i % relayCount];
      if (!relay) return;
      const before = relay.connections;
      await this.installed.moveTo(relay.port);
      const isReached = () => relay.connections > before || isOver();
      // To one that it knows it connects anew only when the certificate is replaced, or never again.
      await waitFor(isReached, {
        what: "the API server to connect at another address",
        timeout: 300_000,
      });
      await this.#look();
    }
  }

  /** Until the Secret of the certificate is there. */
  async secretRestored(): Promise<void> {
    const path = `/api/v1/namespaces/${this.installed.namespace}/secrets/rookery-concierge-cert`;
    const isThere = async () => (await this.#kubernetes.request("GET", path)).status === 200;
    await waitFor(isThere, { what: "the Secret to be back" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    for (const relay of this.#relays) relay.close();
    await this.installed[Symbol.asyncDispose]();
  }

  async #run(): Promise<void> {
    const { kubeconfig, namespace, args } = this.installed;
    const local = [`--kubeconfig=${kubeconfig}`, "--secure-port=0", "--leader-elect=false"];
    const quiet = ["--metrics-bind-address=0", "--health-addr=0"];
    const flags = parseConciergeFlags([...args.slice(2), ...local, ...quiet]);
    if (flags.help) throw new Error("could not start: help was asked for");
    process.env.POD_NAMESPACE = namespace;
    const provider = await createProvider({
      name: "rookery-concierge",
      flags: { ...flags, apiGroupSuffix: "" },
      logger: silentLogger,
    });
    this.#server = setupConcierge(provider, flags, {
      authorityLifetimeSeconds: 600,
      leafLifetimeSeconds: 600,
      settleSeconds: 4,
      resyncMs: 250,
      now: () => new Date(Date.now() + this.#offset),
    });
    this.#ended = provider.run(this.#stop.signal);
    await Promise.race([this.#server.waitForReady(), this.#ended]);
  }

  /** Remembers who signed what is served now. */
  async #look(): Promise<void> {
    const port = Number(new URL(this.#server?.url ?? "").port);
    const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const name = socket.getPeerCertificate().issuer.CN;
    socket.destroy();
    if (name !== this.authorities.at(-1)) this.authorities.push(String(name));
  }
}

/** Passes connections on to a port of this machine, and counts them. */
class Relay {
  connections = 0;
  readonly #server: Server;

  private constructor(target: number) {
    this.#server = createServer((socket) => {
      this.connections += 1;
      const upstream = connectTcp({ host: "127.0.0.1", port: target });
      for (const one of [socket, upstream]) one.on("error", () => {});
      socket.pipe(upstream).pipe(socket);
    });
  }

  static async start(target: number): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen({ host: "0.0.0.0", port: 0 });
    await once(relay.#server, "listening");
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }
}
