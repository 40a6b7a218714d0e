import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import {
  nodeObject,
  podObject,
  type StreamingScene,
  streamingScene,
} from "../../../test/streaming/streaming.ts";
import { rewriteLocation } from "./connect-proxy.ts";
import { isGlobalAddress, isPodAddress } from "./proxy-location.ts";

const address = "127.64.7.7";
const pods = "/api/v1/namespaces/ns/pods";

describe("proxies", () => {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const url = new URL(request.url ?? "/", "http://x");
    response.setHeader("access-control-allow-origin", "*");
    if (url.pathname === "/moved") response.writeHead(302, { location: "/there?x=1" });
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => response.end(`${request.method} ${request.url} ${body}`));
  });
  let scene: StreamingScene;
  let port = 0;

  before(async () => {
    server.listen(0, address);
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
    scene = await streamingScene({ objects: objectsOf(port) });
  });
  after(async () => {
    await scene?.[Symbol.asyncDispose]();
    server.close();
  });

  test("hand paths, queries, methods and bodies on", async () => {
    const { status, text } = await scene.ask(`${pods}/web:${port}/proxy/a%20b/c?d=%2F`, {
      method: "POST",
      body: Buffer.from("hello"),
    });
    assert.deepEqual([status, text], [200, "POST /a%20b/c?d=%2F hello"]);
  });

  test("take the first port of a pod where none is named", async () => {
    assert.equal((await scene.ask(`${pods}/web/proxy/x`)).text, "GET /x ");
    assert.equal((await scene.ask(`${pods}/http:web:${port}/proxy/x/`)).text, "GET /x/ ");
  });

  test("tell the server where it is seen, and not by whom", async () => {
    const headers = { authorization: "Bearer secret", "impersonate-user": "", "x-own": "kept" };
    const { headers: answered } = await scene.answer(`${pods}/web/proxy/x/`, {
      headers: { authorization: headers.authorization, "x-own": "kept" },
    });
    const told = seen.at(-1)?.headers ?? {};
    assert.equal(told["x-forwarded-uri"], `${pods}/web/proxy/x/`);
    assert.equal(told.authorization, undefined);
    assert.equal(told["x-own"], "kept");
    assert.equal(answered["access-control-allow-origin"], undefined);
  });

  test("lead to a page by its slash, and redirections back through themselves", async () => {
    const bare = await scene.answer(`${pods}/web/proxy?a=b`);
    assert.deepEqual([bare.status, bare.headers.location], [301, `${pods}/web/proxy/?a=b`]);
    const moved = await scene.answer(`${pods}/web/proxy/moved`);
    assert.deepEqual([moved.status, moved.headers.location], [302, `${pods}/web/proxy/there?x=1`]);
  });

  test("find pods behind a Service by number and by name of its port", async () => {
    const services = "/api/v1/namespaces/ns/services";
    for (const name of ["svc:80", "svc:http", "http:svc:80"]) {
      assert.equal((await scene.ask(`${services}/${name}/proxy/x`)).text, "GET /x ", name);
    }
  });

  const refused: Record<string, [path: string, status: number, message: RegExp]> = {
    "a pod that is not there": ["pods/none/proxy/", 404, /pods \\"none\\" not found/],
    "a name that is none": ["pods/a:b:c:d/proxy/", 400, /invalid pod request \\"a:b:c:d\\"/],
    "a pod without an address": ["pods/bare/proxy/", 400, /address not allowed/],
    "a pod that says the machine's own": ["pods/own/proxy/", 400, /address not allowed/],
    "a port that nobody listens on": [
      "pods/web:1/proxy/",
      503,
      /error trying to reach service: dial tcp 127.64.7.7:1: connect: connection refused/,
    ],
    "a service that is not there": ["services/none/proxy/", 404, /services \\"none\\" not found/],
    "a port that a service has not": [
      "services/svc:81/proxy/",
      503,
      /no service port 81 found for service \\"svc\\"/,
    ],
    "endpoints that are no pods": [
      "services/fake:http/proxy/",
      503,
      /no endpoints available for service \\"fake:http\\"/,
    ],
  };
  for (const [sentence, [path, status, message]] of Object.entries(refused)) {
    test(`refuse ${sentence}`, async () => {
      const answer = await scene.ask(`/api/v1/namespaces/ns/${path}`);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, message);
    });
  }

  test("lead to nodes that are not this machine's loopback", async () => {
    assert.match((await scene.ask("/api/v1/nodes/none/proxy/")).text, /nodes \\"none\\" not found/);
    assert.match((await scene.ask("/api/v1/nodes/here/proxy/")).text, /no preferred addresses/);
    assert.match((await scene.ask("/api/v1/nodes/looped/proxy/")).text, /address not allowed/);
  });

  test("lead nowhere on the loopback where no node runs here", async () => {
    await using nodeless = await streamingScene({ objects: objectsOf(port), hasNode: false });
    assert.match((await nodeless.ask(`${pods}/web/proxy/`)).text, /address not allowed/);
  });
});

function objectsOf(port: number): KubeObject[] {
  const ports = [{ name: "http", containerPort: port }];
  const at = (ip: string) => ({ podIP: ip, podIPs: [{ ip }] });
  const object = (kind: string, name: string, more: object): KubeObject => ({
    apiVersion: "v1",
    kind,
    metadata: { name, namespace: "ns" },
    ...more,
  });
  const endpoints = (targetRef: object | undefined) => ({
    subsets: [
      {
        addresses: [{ ip: address, ...(targetRef && { targetRef }) }],
        ports: [{ name: "http", port }],
      },
    ],
  });
  return [
    nodeObject,
    {
      ...nodeObject,
      metadata: { name: "looped" },
      status: { addresses: [{ type: "InternalIP", address: "127.0.0.1" }] },
    },
    podObject("web", { spec: { containers: [{ name: "app", ports }] }, status: at(address) }),
    podObject("bare"),
    podObject("own", { status: at("127.0.0.1") }),
    object("Service", "svc", { spec: { ports: [{ name: "http", port: 80 }] } }),
    object("Endpoints", "svc", endpoints({ kind: "Pod", name: "web", namespace: "ns" })),
    object("Endpoints", "fake", endpoints(undefined)),
  ];
}

test("addresses of pods are global ones, or of a node here", () => {
  for (const global of ["10.0.0.1", "8.8.8.8", "fd00::1"])
    assert.ok(isGlobalAddress(global), global);
  const others = [
    "127.0.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "224.0.0.1",
    "::1",
    "fe80::1",
    "x",
    "",
  ];
  for (const other of others) {
    assert.equal(isGlobalAddress(other), false, other);
    assert.equal(isPodAddress(other, true), false, other);
  }
  assert.deepEqual(
    [isPodAddress("127.64.0.1", true), isPodAddress("127.64.0.1", false)],
    [true, false],
  );
});

test("locations are led through the proxy where they are of the server behind it", () => {
  const at = { prefix: "/p/proxy", host: "10.0.0.1:80", requestHost: "here:6443" };
  const rows: Record<string, string> = {
    "/a/b/?c": "/p/proxy/a/b/?c",
    "http://10.0.0.1:80/a": "/p/proxy/a",
    "https://here:6443/a": "https://here:6443/p/proxy/a",
    "/p/proxy/a": "/p/proxy/a",
    "relative/a": "relative/a",
    "https://elsewhere/a": "https://elsewhere/a",
  };
  for (const [from, to] of Object.entries(rows)) assert.equal(rewriteLocation(from, at), to);
});
