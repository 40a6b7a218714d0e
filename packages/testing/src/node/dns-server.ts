import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Kubernetes } from "../kubernetes.ts";
import { Mirror } from "../pods/mirror.ts";
import type { Service } from "../pods/pod.ts";
import { readQuestion, writeAnswer } from "./dns-message.ts";
import { addressesOf, type EndpointSlice } from "./dns-records.ts";

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
  const unchanged = () => {};
  const services = new Mirror<Service>(kubernetes, "/api/v1/services", unchanged);
  const path = "/apis/discovery.k8s.io/v1/endpointslices";
  const slices = new Mirror<EndpointSlice>(kubernetes, path, unchanged);
  for (const mirror of [services, slices]) {
    await mirror.start();
    stack.defer(() => mirror.stop());
  }
  const lookup = (name: string) => addressesOf(name, services.all, slices.all);
  stack.use(await serveDns(lookup, { address, port: 53 }));
  return stack.move();
}
