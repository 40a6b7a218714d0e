import { connect, createServer, type Server, type Socket } from "node:net";
import type { Kubernetes } from "../kubernetes.ts";
import type { LoopbackAddresses } from "./addresses.ts";
import { podsBehind } from "./hosts.ts";
import { type Pod, portNumber, type Service } from "./pod.ts";

export interface ServiceOptions {
  readonly kubernetes: Kubernetes;
  readonly addresses: LoopbackAddresses;
  pods(): readonly Pod[];
}

/**
 * Gives each Service that is not headless an address, behind which a connection goes to one of its
 * ready pods; a Service of type LoadBalancer is told it.
 */
export class ServiceAddresses {
  readonly #options: ServiceOptions;
  readonly #known = new Map<string, ForwardedService>();

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  addressOf(service: Service): string | undefined {
    return this.#known.get(service.metadata.uid ?? "")?.address;
  }

  async update(services: readonly Service[]): Promise<void> {
    const wanted = services.filter(isForwarded);
    const uids = new Set(wanted.map(({ metadata }) => metadata.uid));
    for (const [uid, known] of this.#known) {
      if (!uids.has(uid)) await this.#remove(uid, known);
    }
    for (const service of wanted) {
      const uid = service.metadata.uid ?? "";
      const known = this.#known.get(uid) ?? this.#add(uid);
      await known.update(service);
      await this.#publish(service, known.address);
    }
  }

  async end(): Promise<void> {
    await Promise.all([...this.#known].map(([uid, known]) => this.#remove(uid, known)));
  }

  #add(uid: string): ForwardedService {
    const { addresses, pods } = this.#options;
    const added = new ForwardedService(addresses.take(), pods);
    this.#known.set(uid, added);
    return added;
  }

  async #remove(uid: string, known: ForwardedService): Promise<void> {
    this.#known.delete(uid);
    await known.end();
    this.#options.addresses.release(known.address);
  }

  async #publish(service: Service, ip: string): Promise<void> {
    const { metadata, spec, status } = service;
    const [first] = status?.loadBalancer?.ingress ?? [];
    if (spec.type !== "LoadBalancer" || first?.ip === ip) return;
    const path = `/api/v1/namespaces/${metadata.namespace}/services/${metadata.name}/status`;
    const body = { status: { loadBalancer: { ingress: [{ ip }] } } };
    await this.#options.kubernetes.request("PATCH", path, { body });
  }
}

function isForwarded({ spec }: Service): boolean {
  return spec.selector !== undefined && spec.clusterIP !== "None";
}

/** The ports of one Service, open at its address. */
class ForwardedService {
  readonly address: string;
  readonly #pods: () => readonly Pod[];
  readonly #servers = new Map<number, Server>();
  readonly #sockets = new Set<Socket>();
  #service: Service | undefined;
  #turn = 0;

  constructor(address: string, pods: () => readonly Pod[]) {
    this.address = address;
    this.#pods = pods;
  }

  async update(service: Service): Promise<void> {
    this.#service = service;
    const ports = new Set((service.spec.ports ?? []).map(({ port }) => port));
    for (const [port, server] of this.#servers) {
      if (ports.has(port)) continue;
      server.close();
      this.#servers.delete(port);
    }
    for (const port of ports) if (!this.#servers.has(port)) await this.#listen(port);
  }

  async end(): Promise<void> {
    for (const server of this.#servers.values()) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #listen(port: number): Promise<void> {
    const server = createServer((socket) => this.#forward(socket, port));
    this.#servers.set(port, server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: this.address, port }, resolve);
    });
    server.unref();
  }

  #forward(client: Socket, port: number): void {
    const target = this.#choose(port);
    if (!target) return void client.destroy();
    const pod = connect(target);
    for (const [one, other] of [
      [client, pod],
      [pod, client],
    ] as const) {
      this.#sockets.add(one);
      one.unref();
      one.on("error", () => other.destroy());
      one.once("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }

  #choose(port: number): { host: string; port: number } | undefined {
    const service = this.#service;
    if (!service) return undefined;
    const pods = podsBehind(service, this.#pods());
    this.#turn += 1;
    const pod = pods[this.#turn % Math.max(pods.length, 1)];
    if (!pod) return undefined;
    const target = service.spec.ports?.find((one) => one.port === port)?.targetPort ?? port;
    return { host: pod.status?.podIP ?? "", port: portNumber(target, pod.spec.containers) };
  }
}
