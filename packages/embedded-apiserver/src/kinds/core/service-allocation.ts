import type { Service } from "@rookery/api";
import { FieldError, fieldPath, internalError, invalidError } from "@rookery/kube";
import {
  formatIpAddress,
  type IpPrefix,
  parseIpPrefix,
  parseLegacyIp,
  prefixContains,
} from "@rookery/schema";
import type { KindContext } from "../declaration/kind.ts";
import { AllocatedServices } from "./allocated-services.ts";
import type { IpFamily } from "./service-families.ts";
import {
  allocatesNodePorts,
  isHeadless,
  needsClusterIp,
  needsHealthCheck,
  needsNodePorts,
  nodePortsOf,
  specOf,
} from "./service-types.ts";

const nodePorts = { first: 30_000, last: 32_767 };
const maxStatic = 256;

/** Allocates addresses and ports to Services. */
export class ServiceAllocation {
  readonly family: IpFamily;
  readonly #range: IpPrefix;
  readonly #allocated: AllocatedServices;
  readonly #random: () => number;

  constructor({ store, serviceCidr, now }: KindContext, random: () => number = Math.random) {
    this.#range = parseIpPrefix(serviceCidr);
    this.family = this.#range.address.family === 6 ? "IPv6" : "IPv4";
    this.#allocated = new AllocatedServices(store, now);
    this.#random = random;
  }

  /** Throws a StatusError for a value that is allocated or out of range. */
  allocate(service: Service, old?: Service): void {
    this.#allocated.release(service);
    try {
      this.#allocateAddress(service, old);
      this.#allocatePorts(service, old);
      this.#allocateHealthCheck(service, old);
    } catch (error) {
      this.#allocated.release(service);
      throw error;
    }
  }

  /** Throws a StatusError if the requested address is not available. */
  assertAvailable(service: Service): void {
    const spec = specOf(service);
    const [requested = ""] = spec.clusterIPs ?? [];
    if (requested === "" || !needsClusterIp(spec) || isHeadless(spec)) return;
    const problem = this.#addressProblem(requested);
    if (problem === undefined) return;
    const detail = `failed to allocate IP ${requested}: ${problem}`;
    throw refused(service, FieldError.invalid("spec.clusterIPs", spec.clusterIPs, detail));
  }

  release(service: Service): void {
    this.#allocated.release(service);
  }

  #allocateAddress(service: Service, old?: Service): void {
    const spec = specOf(service);
    const hadOne = old !== undefined && needsClusterIp(old.spec ?? {});
    if (!needsClusterIp(spec) || isHeadless(spec) || hadOne) return;
    const [requested = ""] = spec.clusterIPs ?? [];
    this.assertAvailable(service);
    const ip = requested === "" ? this.#nextAddress(service) : requested;
    this.#allocated.promise(service, `ip/${ip}`);
    spec.clusterIP = ip;
    spec.clusterIPs = [ip];
  }

  #addressProblem(ip: string): string | undefined {
    const address = parseLegacyIp(ip);
    const offset = (address?.value ?? 0n) - this.#range.address.value;
    const isWithin = address !== undefined && prefixContains(this.#range, address);
    if (!isWithin || offset < 1n || offset > BigInt(this.#hosts().size)) {
      const range = `${formatIpAddress(this.#range.address)}/${this.#range.bits}`;
      return `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${range}`;
    }
    return this.#allocated.has(`ip/${ip}`) ? "provided IP is already allocated" : undefined;
  }

  /** Takes the lower addresses last: they are for Services that request an address. */
  #nextAddress({ metadata }: Service): string {
    const { size, reserved } = this.#hosts();
    if (metadata?.namespace === "default" && metadata.name === "kubernetes") return this.#host(1);
    const upper = { first: reserved + 1, last: size };
    const lower = { first: 1, last: reserved };
    for (const band of [upper, lower]) {
      const free = this.#freeWithin(band, (n) => `ip/${this.#host(n)}`);
      if (free !== undefined) return this.#host(free);
    }
    throw internalError(new Error("failed to allocate a serviceIP: range is full"));
  }

  #hosts(): { readonly size: number; readonly reserved: number } {
    const { address, bits } = this.#range;
    const hostBits = Math.min((address.family === 4 ? 32 : 128) - bits, 20);
    const size = 2 ** hostBits - (address.family === 4 ? 2 : 1);
    const reserved = Math.min(Math.max(16, Math.floor(size / 16)), maxStatic);
    return { size, reserved: size <= 16 ? 0 : reserved };
  }

  #host(n: number): string {
    const { family, value } = this.#range.address;
    return formatIpAddress({ family, value: value + BigInt(n), zone: "" });
  }

  /** Starts at a random number and wraps around. */
  #freeWithin(
    { first, last }: { readonly first: number; readonly last: number },
    named: (n: number) => string,
  ): number | undefined {
    const count = last - first + 1;
    const start = Math.floor(this.#random() * count);
    for (let i = 0; i < count; i++) {
      const n = first + ((start + i) % count);
      if (!this.#allocated.has(named(n))) return n;
    }
    return undefined;
  }

  #allocatePorts(service: Service, old?: Service): void {
    const spec = specOf(service);
    if (!needsNodePorts(spec)) return;
    const before = nodePortsOf(old?.spec ?? {});
    const given = new Map<number, number>();
    (spec.ports ?? []).forEach((port, i) => {
      const { port: number = 0, nodePort = 0 } = port;
      if (nodePort === 0 && !allocatesNodePorts(spec)) return;
      // Ports with the same number and another protocol share a node port.
      const shared = old === undefined ? given.get(number) : undefined;
      const requested = nodePort || shared || (old ? 0 : this.#requestedPort(service, number));
      port.nodePort = requested || this.#nextPort();
      if (port.nodePort !== shared && !before.includes(port.nodePort)) {
        this.#takePort(service, port.nodePort, i);
      }
      given.set(number, port.nodePort);
    });
  }

  #requestedPort({ spec }: Service, number: number): number {
    const asking = (spec?.ports ?? []).find(({ port, nodePort }) => port === number && nodePort);
    return asking?.nodePort ?? 0;
  }

  #nextPort(): number {
    const port = this.#freeWithin(nodePorts, (n) => `port/${n}`);
    if (port !== undefined) return port;
    throw internalError(new Error("failed to allocate a nodePort: range is full"));
  }

  #takePort(service: Service, port: number, index: number): void {
    const problem = this.#portProblem(port);
    if (problem !== undefined) {
      const at = fieldPath("spec", "ports").index(index).child("nodePort");
      throw refused(service, FieldError.invalid(at, port, problem));
    }
    this.#allocated.promise(service, `port/${port}`);
  }

  #portProblem(port: number): string | undefined {
    const { first, last } = nodePorts;
    if (port < first || port > last) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    return this.#allocated.has(`port/${port}`) ? "provided port is already allocated" : undefined;
  }

  #allocateHealthCheck(service: Service, old?: Service): void {
    const spec = specOf(service);
    const had = old !== undefined && needsHealthCheck(old.spec ?? {});
    if (!needsHealthCheck(spec) || had) return;
    const { healthCheckNodePort: requested = 0 } = spec;
    const problem = requested === 0 ? undefined : this.#portProblem(requested);
    if (problem !== undefined) {
      const why = `failed to allocate requested HealthCheck NodePort ${requested}: ${problem}`;
      throw internalError(new Error(why));
    }
    spec.healthCheckNodePort = requested || this.#nextPort();
    this.#allocated.promise(service, `port/${spec.healthCheckNodePort}`);
  }
}

function refused({ metadata }: Service, problem: FieldError): Error {
  return invalidError({ group: "", kind: "Service" }, metadata?.name ?? "", [problem]);
}
