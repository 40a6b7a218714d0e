import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createClient, loadConfig } from "@rookery/client";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import { createInformer } from "@rookery/runtime";
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
} from "dns-packet";
import type { Kubernetes } from "../kubernetes.ts";

/** The addresses of a name, or undefined where there is no such name. */
export type Lookup = (name: string) => readonly string[] | undefined;

export interface DnsServer extends AsyncDisposable {
  readonly port: number;
}

/** Answers questions for IPv4 addresses over UDP, and knows nothing beyond what it looks up. */
export async function serveDns(
  lookup: Lookup,
  at: { readonly address: string; readonly port: number },
): Promise<DnsServer> {
  const socket = createSocket("udp4");
  socket.on("message", (message, from) => {
    const query = readQuestion(message);
    if (!query) return;
    const addresses = lookup(query.question.name.toLowerCase());
    socket.send(writeAnswer(query, addresses), from.port, from.address);
  });
  socket.bind(at);
  await once(socket, "listening");
  socket.on("error", () => {});
  socket.unref();
  return {
    port: socket.address().port,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, "close");
    },
  };
}

/** The DNS of a cluster: names of Services and of the pods of headless ones. */
export async function startClusterDns(
  kubernetes: Kubernetes,
  address: string,
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
  const stop = new AbortController();
  const follow = async <T extends KubeObject>(resource: Resource) => {
    const informer = createInformer<T>({ resource, listWatch: client.resource<T>(resource) });
    const running = informer.run(stop.signal);
    stack.defer(() => running);
    await informer.waitForSync();
    return informer;
  };
  const services = await follow<Service>(builtInResources.services);
  const slices = await follow<EndpointSlice>(builtInResources.endpointSlices);
  stack.defer(() => stop.abort());
  const lookup = (name: string) => addressesOf(name, services.list(), slices.list());
  stack.use(await serveDns(lookup, { address, port: 53 }));
  return stack.move();
}

/** The fields that names come from. */
export type Service = KubeObject<{ readonly clusterIP?: string }>;
export interface EndpointSlice extends KubeObject {
  readonly addressType: string;
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly hostname?: string;
    readonly conditions?: { readonly ready?: boolean };
  }[];
}

const serviceName = "kubernetes.io/service-name";
const name = /^(?:([^.]+)\.)?([^.]+)\.([^.]+)\.svc\.cluster\.local$/;

/**
 * The IPv4 addresses of a name as Kubernetes' DNS has them: `<service>.<namespace>.svc.cluster.local`
 * and, of a headless Service, `<hostname>.<service>…`. Undefined where there is no such name.
 */
export function addressesOf(
  wanted: string,
  services: readonly Service[],
  slices: readonly EndpointSlice[],
): string[] | undefined {
  const [, host, service, namespace] = name.exec(wanted) ?? [];
  const found = services.find(
    ({ metadata }) => metadata.name === service && metadata.namespace === namespace,
  );
  if (!found) return undefined;
  const clusterIP = found.spec?.clusterIP;
  if (clusterIP && clusterIP !== "None") return host ? undefined : [clusterIP];
  const endpoints = slices
    .filter((slice) => slice.addressType === "IPv4" && slice.metadata.namespace === namespace)
    .filter((slice) => slice.metadata.labels?.[serviceName] === service)
    .flatMap((slice) => slice.endpoints ?? [])
    .filter((endpoint) => endpoint.conditions?.ready !== false)
    .filter((endpoint) => !host || endpoint.hostname === host);
  if (host && endpoints.length === 0) return undefined;
  return [...new Set(endpoints.flatMap(({ addresses }) => addresses))];
}

/** A query of a client of the Domain Name System. */
interface DnsQuestion {
  readonly id: number;
  readonly recursionDesired: boolean;
  /** As the client wrote it; the answer repeats it. */
  readonly question: Question;
}

const nameError = 3;
const secondsToLive = 5;

/** Reads a query with one question; undefined for anything else. */
export function readQuestion(message: Buffer): DnsQuestion | undefined {
  try {
    const { id = 0, flag_rd: recursionDesired, questions = [] } = decode(message);
    const [question, ...others] = questions;
    return question && others.length === 0 ? { id, recursionDesired, question } : undefined;
  } catch {
    return undefined;
  }
}

/** The answer to a question: the addresses of a name; undefined addresses: there is no such name. */
function writeAnswer(
  { id, recursionDesired, question }: DnsQuestion,
  addresses: readonly string[] | undefined,
): Buffer {
  const { name, type } = question;
  const found = type === "A" ? (addresses ?? []) : [];
  const rights = AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE;
  return encode({
    type: "response",
    id,
    flags: rights | (recursionDesired ? RECURSION_DESIRED : 0) | (addresses ? 0 : nameError),
    questions: [question],
    answers: found.map((data) => ({ name, type: "A", ttl: secondsToLive, data })),
  });
}
