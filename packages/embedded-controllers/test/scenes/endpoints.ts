import { patchTypes } from "@rookery/kube";
import type { Answer, Exchange, Scenario } from "@rookery/testing";

const inNamespace = "/api/v1/namespaces/{ns}";
const pods = `${inNamespace}/pods`;
const services = `${inNamespace}/services`;
const endpointsPath = `${inNamespace}/endpoints`;
const slices = "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices";
const nodes = "/api/v1/nodes";

const makeNode: Exchange = {
  what: "a node",
  path: nodes,
  body: {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "{ns}", labels: { "topology.kubernetes.io/zone": "z" } },
  },
  silent: true,
};
const dropNode: Exchange = {
  what: "no node",
  method: "DELETE",
  path: `${nodes}/{ns}`,
  silent: true,
};

/** The name ends as those do whose generated part is not compared. */
function service(name: string, spec: object, labels = {}): Exchange {
  const metadata = { name, labels };
  const body = { apiVersion: "v1", kind: "Service", metadata, spec };
  return { what: `the Service ${name}`, path: services, body, silent: true };
}

function pod(name: string, port: number, more: object = {}): Exchange {
  const ports = [{ name: "http", containerPort: port }];
  const spec = { nodeName: "{ns}", containers: [{ name: "main", image: "x", ports }], ...more };
  const body = { apiVersion: "v1", kind: "Pod", metadata: { name, labels: { app: "web" } }, spec };
  return { what: `the pod ${name}`, path: pods, body, silent: true };
}

function status(name: string, ip: string, ready: "True" | "False"): Exchange {
  const conditions = [{ type: "Ready", status: ready, lastTransitionTime: "2026-01-01T00:00:00Z" }];
  return {
    what: `${name} has ${ip}, ready: ${ready}`,
    method: "PATCH",
    path: `${pods}/${name}/status`,
    contentType: patchTypes.merge,
    body: { status: { phase: "Running", podIP: ip, podIPs: [{ ip }], conditions } },
    silent: true,
  };
}

/** Waits until all slices and Endpoints of a Service say something, or no longer do. */
function told(
  what: string,
  name: string,
  words: readonly string[],
  not: readonly string[] = [],
): Exchange[] {
  const isTold = ({ body }: Answer) => {
    const text = JSON.stringify(body);
    return words.every((word) => text.includes(word)) && !not.some((word) => text.includes(word));
  };
  const selector = `labelSelector=kubernetes.io/service-name%3D${name}`;
  return [
    { what: `${what}: slices`, path: `${slices}?${selector}`, until: isTold },
    { what: `${what}: Endpoints`, path: `${endpointsPath}/${name}`, until: isTold },
  ];
}

const web = {
  selector: { app: "web" },
  ports: [{ port: 80, targetPort: "http", protocol: "TCP" }],
};

/** What Services say of the pods behind them. */
export const endpoints: readonly Scenario[] = [
  {
    name: "endpoints of a Service",
    exchanges: [
      makeNode,
      service("web-gen", web, { team: "a" }),
      ...told("without pods", "web-gen", ["managed-by"]),
      pod("one", 8080),
      status("one", "10.1.0.1", "False"),
      ...told("not ready", "web-gen", ["10.1.0.1"]),
      status("one", "10.1.0.1", "True"),
      ...told("ready", "web-gen", ["10.1.0.1"], ['"ready":false', "notReadyAddresses"]),
      {
        what: "other labels",
        method: "PATCH",
        path: `${services}/web-gen`,
        contentType: patchTypes.merge,
        body: { metadata: { labels: { team: "b" } } },
        silent: true,
      },
      ...told("relabelled", "web-gen", ['"team":"b"']),
      {
        what: "another port",
        method: "PATCH",
        path: `${services}/web-gen`,
        contentType: patchTypes.merge,
        body: {
          spec: {
            ports: [
              { name: "plain", port: 80, targetPort: 81, protocol: "TCP", appProtocol: "http" },
            ],
          },
        },
        silent: true,
      },
      ...told("with another port", "web-gen", ["plain", "10.1.0.1"]),
      { what: "the end of the pod", method: "DELETE", path: `${pods}/one`, silent: true },
      { ...told("while it ends", "web-gen", ['"terminating":true'])[0] } as Exchange,
      {
        what: "the end of the pod at once",
        method: "DELETE",
        path: `${pods}/one?gracePeriodSeconds=0`,
        silent: true,
      },
      ...told("after its end", "web-gen", ["managed-by"], ["10.1.0.1"]),
      {
        what: "the end of the Service",
        method: "DELETE",
        path: `${services}/web-gen`,
        silent: true,
      },
      {
        what: "its Endpoints have gone",
        path: `${endpointsPath}/web-gen`,
        until: ({ status: code }) => code === 404,
      },
      dropNode,
    ],
  },
  {
    name: "endpoints of a headless Service",
    exchanges: [
      makeNode,
      service("db-gen", { ...web, clusterIP: "None", publishNotReadyAddresses: true }),
      pod("one", 8080, { hostname: "first", subdomain: "db-gen" }),
      status("one", "10.1.0.2", "False"),
      ...told("all of them", "db-gen", ["10.1.0.2"]),
      service("bare-gen", { selector: { app: "web" }, clusterIP: "None" }),
      ...told("without ports", "bare-gen", ["10.1.0.2"]),
      dropNode,
    ],
  },
  {
    name: "endpoints that are made by hand",
    exchanges: [
      service("far-gen", { ports: [{ name: "sql", port: 5432 }] }),
      {
        what: "making them",
        path: endpointsPath,
        body: {
          apiVersion: "v1",
          kind: "Endpoints",
          metadata: { name: "far-gen", labels: { mine: "yes" }, annotations: { note: "x" } },
          subsets: [
            {
              addresses: [{ ip: "192.0.2.1", hostname: "h" }],
              ports: [{ name: "sql", port: 5432 }],
            },
          ],
        },
        silent: true,
      },
      ...told("mirrored", "far-gen", ["192.0.2.1"]),
      {
        what: "another address",
        method: "PATCH",
        path: `${endpointsPath}/far-gen`,
        contentType: patchTypes.merge,
        body: {
          subsets: [
            {
              notReadyAddresses: [{ ip: "192.0.2.9" }],
              ports: [{ name: "sql", port: 5432, protocol: "TCP" }],
            },
          ],
        },
        silent: true,
      },
      ...told("mirrored again", "far-gen", ["192.0.2.9"]),
      {
        what: "not to be mirrored",
        method: "PATCH",
        path: `${endpointsPath}/far-gen`,
        contentType: patchTypes.merge,
        body: { metadata: { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } } },
        silent: true,
      },
      {
        what: "no mirror is left",
        path: `${slices}?labelSelector=kubernetes.io/service-name%3Dfar-gen`,
        until: ({ body }) => (body as { items?: readonly unknown[] }).items?.length === 0,
      },
    ],
  },
];
