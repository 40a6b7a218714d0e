import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { ServiceSpec } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { type Api, startApi } from "../../test/services/api.ts";
import { createServiceRelay } from "./service-relay.ts";

const ns = "ns";

async function startRelay() {
  const cluster = await startApi(ns);
  const stopping = new AbortController();
  const running = createServiceRelay(cluster).start(stopping.signal);
  const servers: Server[] = [];
  return {
    ...cluster,
    /** A pod that says its name to whoever connects, when it has heard them out. */
    async pod(name: string, host: string): Promise<number> {
      const server = createServer({ allowHalfOpen: true }, async (socket) => {
        const heard = await text(socket);
        socket.end(`${name} heard ${heard}`);
      });
      server.listen({ host, port: 0 });
      await once(server, "listening");
      servers.push(server);
      return (server.address() as { port: number }).port;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      for (const server of servers) server.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

async function makeService(cluster: Api, spec: ServiceSpec): Promise<string> {
  const metadata = { name: "web", namespace: ns };
  const made = await cluster.create(
    { apiVersion: "v1", kind: "Service", metadata, spec },
    builtInResources.services,
  );
  return (made.spec as ServiceSpec).clusterIP ?? "";
}

async function makeSlice(
  cluster: Api,
  hosts: readonly string[],
  port: { readonly port: number; readonly protocol?: string },
): Promise<void> {
  const slice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    addressType: "IPv4",
    metadata: { name: "web", namespace: ns, labels: { "kubernetes.io/service-name": "web" } },
    endpoints: hosts.map((host) => ({ addresses: [host], conditions: { ready: true } })),
    ports: [{ name: "", ...port }],
  };
  await cluster.create(slice as unknown as KubeObject, builtInResources.endpointSlices);
}

/** What is answered; undefined where the connection is refused or cut off. */
async function say(host: string, port: number, words: string): Promise<string | undefined> {
  const socket = connect({ host, port, allowHalfOpen: true });
  try {
    await once(socket, "connect");
    socket.end(words);
    return await text(socket);
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

const answers = (host: string, port: number, words: string) =>
  waitFor(() => say(host, port, words), { what: `an answer from ${host}:${port}` });

test("a connection to a Service reaches its endpoints in turn", async () => {
  await using relay = await startRelay();
  const port = await relay.pod("a", "127.64.3.1");
  const other = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.end(`b heard ${await text(socket)}`);
  });
  other.listen({ host: "127.64.3.2", port });
  await once(other, "listening");
  await using _ = { [Symbol.asyncDispose]: async () => void other.close() };
  const ip = await makeService(relay, { ports: [{ port: 8321, targetPort: port }] });
  await makeSlice(relay, ["127.64.3.1", "127.64.3.2"], { port });
  const heard = [
    await answers(ip, 8321, "hello"),
    await answers(ip, 8321, "hello"),
    await answers(ip, 8321, "hello"),
  ];
  assert.deepEqual(new Set(heard), new Set(["a heard hello", "b heard hello"]));
});

test("a client stays with the one who served it, where the Service says so", async () => {
  await using relay = await startRelay();
  const port = await relay.pod("a", "127.64.4.1");
  const ip = await makeService(relay, {
    sessionAffinity: "ClientIP",
    ports: [{ port: 8322, targetPort: port }],
  });
  // Nobody listens at the other.
  await makeSlice(relay, ["127.64.4.1", "127.64.4.2"], { port });
  await waitFor(() => say(ip, 8322, "first"), { what: "the first answer" });
  for (const words of ["second", "third"]) {
    assert.equal(await say(ip, 8322, words), `a heard ${words}`);
  }
});

test("a Service without endpoints refuses, and serves when one comes", async () => {
  await using relay = await startRelay();
  const port = await relay.pod("a", "127.64.5.1");
  const ip = await makeService(relay, { ports: [{ port: 8323, targetPort: port }] });
  assert.equal(await say(ip, 8323, "hello"), undefined);
  await makeSlice(relay, ["127.64.5.1"], { port });
  assert.equal(await answers(ip, 8323, "hello"), "a heard hello");
});

test("ports open and close with the Service", async () => {
  await using relay = await startRelay();
  const port = await relay.pod("a", "127.64.6.1");
  const ip = await makeService(relay, { ports: [{ port: 8324, targetPort: port }] });
  await makeSlice(relay, ["127.64.6.1"], { port });
  await answers(ip, 8324, "hello");
  const services = relay.client.resource(builtInResources.services);
  const key = { namespace: ns, name: "web" };
  const ports = [{ port: 8325, protocol: "TCP", targetPort: port }];
  await services.patch(key, { type: "merge", patch: { spec: { ports } } });
  await answers(ip, 8325, "hello");
  assert.equal(await say(ip, 8324, "hello"), undefined);
  await services.delete(key);
  const isClosed = async () => (await say(ip, 8325, "hello")) === undefined;
  await waitFor(isClosed, { what: "the port to be closed" });
});

test("a port that another has is told once, and the other ports serve", async () => {
  await using relay = await startRelay();
  const port = await relay.pod("a", "127.64.7.1");
  const taken = createServer().listen({ host: "127.96.200.7", port: 8326 });
  await once(taken, "listening");
  await using _ = { [Symbol.asyncDispose]: async () => void taken.close() };
  const ip = await makeService(relay, {
    clusterIP: "127.96.200.7",
    ports: [
      { name: "taken", port: 8326, targetPort: port },
      { name: "", port: 8327, targetPort: port },
    ].map(({ name, ...rest }) => ({ ...rest, name: name || "free" })),
  });
  const slice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    addressType: "IPv4",
    metadata: { name: "web", namespace: ns, labels: { "kubernetes.io/service-name": "web" } },
    endpoints: [{ addresses: ["127.64.7.1"] }],
    ports: [{ name: "free", port }],
  };
  await relay.create(slice as unknown as KubeObject, builtInResources.endpointSlices);
  assert.equal(await answers(ip, 8327, "hello"), "a heard hello");
  const events = await waitFor(
    () => {
      const { entries } = relay.store.list("events", { namespace: ns });
      const notes = entries.map(({ object }) => (object as { message?: string }).message ?? "");
      return notes.length > 0 ? notes : undefined;
    },
    { what: "the event" },
  );
  assert.deepEqual(events, [
    "could not listen on 127.96.200.7:8326 (TCP): another process has port 8326 there or on all addresses; end it, or give the Service another port",
  ]);
});

test("a node port is open on this machine", async () => {
  await using relay = await startRelay();
  const port = await relay.pod("a", "127.64.8.1");
  await makeService(relay, {
    type: "NodePort",
    ports: [{ port: 8328, targetPort: port, nodePort: 32_328 }],
  });
  await makeSlice(relay, ["127.64.8.1"], { port });
  assert.equal(await answers("127.0.0.1", 32_328, "hello"), "a heard hello");
});

test("datagrams find their way there and back", async () => {
  await using relay = await startRelay();
  const pod = createSocket("udp4");
  pod.on("message", (message, from) => pod.send(`heard ${message}`, from.port, from.address));
  pod.bind({ address: "127.64.9.1", port: 0 });
  await once(pod, "listening");
  const client = createSocket("udp4");
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      pod.close();
      client.close();
    },
  };
  const { port } = pod.address();
  const ip = await makeService(relay, {
    ports: [{ port: 8329, protocol: "UDP", targetPort: port }],
  });
  await makeSlice(relay, ["127.64.9.1"], { port, protocol: "UDP" });
  const heard: string[] = [];
  client.on("message", (message) => heard.push(String(message)));
  await waitFor(
    () => {
      client.send("hello", 8329, ip);
      return heard.length > 0;
    },
    { what: "an answer" },
  );
  assert.equal(heard[0], "heard hello");
});
