import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createClient, loadConfig } from "@rookery/client";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import { createInformer } from "@rookery/runtime";
import type { Kubernetes } from "../kubernetes.ts";
import { readQuestion, writeAnswer } from "./dns-message.ts";
import { addressesOf, type EndpointSlice, type Service } from "./dns-records.ts";

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
