import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Container } from "@rookery/api";
import { containerOf, podOf } from "../../test/pod.ts";
import { type EnvironmentSources, environmentOf } from "./environment.ts";
import { expand } from "./expand.ts";

const encoded = (text: string) => Buffer.from(text).toString("base64");
const sources: EnvironmentSources = {
  place: { podIP: "127.64.0.1", hostIP: "127.0.0.1", allocatable: { cpu: "2", memory: "1Gi" } },
  services: [],
  api: { host: "127.0.0.1", port: 6443 },
  configMap: (_, name) =>
    name === "settings" ? { data: { color: "blue", size: "9" } } : undefined,
  secret: (_, name) => (name === "keys" ? { data: { token: encoded("t0ken") } } : undefined),
};

function own(container: Container, extra: Partial<EnvironmentSources> = {}) {
  const all = environmentOf(podOf(), containerOf("main", container), { ...sources, ...extra });
  const isOwn = ([name]: [string, string]) => !name.startsWith("KUBERNETES_");
  return Object.fromEntries(Object.entries(all).filter(isOwn));
}

describe("the variables of a container", () => {
  it("know fields of the pod, keys of others, and one another", () => {
    const fieldRef = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });
    const env = [
      { name: "IP", ...fieldRef("status.podIP") },
      { name: "APP", ...fieldRef("metadata.labels['app']") },
      { name: "LABELS", ...fieldRef("metadata.labels") },
      { name: "URL", value: "https://$(IP):$(PORT)/$$(IP)" },
      { name: "COLOR", valueFrom: { configMapKeyRef: { name: "settings", key: "color" } } },
      { name: "TOKEN", valueFrom: { secretKeyRef: { name: "keys", key: "token" } } },
      { name: "NONE", valueFrom: { secretKeyRef: { name: "gone", key: "x", optional: true } } },
    ];
    assert.deepEqual(own({ env }), {
      IP: "127.64.0.1",
      APP: "web",
      LABELS: 'app="web"\ntier="front\\"end"',
      URL: "https://127.64.0.1:$(PORT)/$(IP)",
      COLOR: "blue",
      TOKEN: "t0ken",
    });
  });

  it("lead a client to a proxy in its own pod, and else to the API server", () => {
    const hostOf = (value?: string) => {
      const env = value === undefined ? [] : [{ name: "KUBERNETES_SERVICE_HOST", value }];
      return environmentOf(podOf(), containerOf("main", { env }), sources).KUBERNETES_SERVICE_HOST;
    };
    assert.equal(hostOf("127.0.0.1"), "127.64.0.1");
    assert.equal(hostOf("localhost"), "127.64.0.1");
    assert.equal(hostOf("10.9.8.7"), "10.9.8.7");
    assert.equal(hostOf(), "127.0.0.1");
  });

  it("take whole objects with a prefix, and let env win", () => {
    const envFrom = [
      { prefix: "S_", configMapRef: { name: "settings" } },
      { secretRef: { name: "keys" } },
    ];
    const env = [{ name: "S_color", value: "red" }];
    assert.deepEqual(own({ envFrom, env }), { S_color: "red", S_size: "9", token: "t0ken" });
  });

  it("know requests, and limits that the node sets where the container does not", () => {
    const field = (name: string, resource: string, divisor: string) => ({
      name,
      valueFrom: { resourceFieldRef: { resource, divisor } },
    });
    const env = [
      field("CPU", "requests.cpu", "1m"),
      field("CORES", "limits.cpu", "0"),
      field("MEMORY", "limits.memory", "1Mi"),
    ];
    const resources = { requests: { cpu: "250m" } };
    assert.deepEqual(own({ env, resources }), { CPU: "250", CORES: "2", MEMORY: "1024" });
  });

  const missing: Readonly<Record<string, readonly [Container, string]>> = {
    "an object of a key": [
      { env: [{ name: "X", valueFrom: { configMapKeyRef: { name: "gone", key: "k" } } }] },
      'configmap "gone" not found',
    ],
    "a key of a ConfigMap": [
      { env: [{ name: "X", valueFrom: { configMapKeyRef: { name: "settings", key: "k" } } }] },
      "couldn't find key k in ConfigMap team/settings",
    ],
    "a key of a Secret": [
      { env: [{ name: "X", valueFrom: { secretKeyRef: { name: "keys", key: "k" } } }] },
      "couldn't find key k in Secret team/keys",
    ],
    "a whole Secret": [{ envFrom: [{ secretRef: { name: "gone" } }] }, 'secret "gone" not found'],
  };
  for (const [what, [container, message]] of Object.entries(missing)) {
    it(`say in a kubelet's words that ${what} is missing`, () => {
      assert.throws(() => own(container), { code: "MissingKey", message });
    });
  }

  it("lead to the API server and to Services, unless the pod wants no links", () => {
    const ports = [{ name: "https", port: 443 }];
    const services = [{ metadata: { name: "my-db" }, spec: { clusterIP: "127.96.0.9", ports } }];
    const all = environmentOf(podOf(), containerOf("main"), { ...sources, services });
    assert.equal(all.KUBERNETES_SERVICE_HOST, "127.0.0.1");
    assert.equal(all.KUBERNETES_SERVICE_PORT, "6443");
    assert.equal(all.MY_DB_SERVICE_HOST, "127.96.0.9");
    assert.equal(all.MY_DB_SERVICE_PORT_HTTPS, "443");
    assert.equal(all.MY_DB_PORT_443_TCP, "tcp://127.96.0.9:443");
    const unlinked = podOf({ enableServiceLinks: false });
    const few = environmentOf(unlinked, containerOf("main"), { ...sources, services });
    assert.equal(few.MY_DB_SERVICE_HOST, undefined);
    assert.equal(few.KUBERNETES_SERVICE_HOST, "127.0.0.1");
  });
});

describe("$(NAME)", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["$(A)-$(A)", "1-1"],
    ["$(B)", "$(B)"],
    ["$$(A)", "$(A)"],
    ["$$$(A)", "$1"],
    ["$A", "$A"],
    ["cost: 5$", "cost: 5$"],
    ["$(A", "$(A"],
  ];
  for (const [text, expanded] of rows) {
    it(`makes ${expanded} of ${text}`, () => assert.equal(expand(text, { A: "1" }), expanded));
  }
});
