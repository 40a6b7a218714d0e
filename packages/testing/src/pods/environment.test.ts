import assert from "node:assert/strict";
import { test } from "node:test";
import { invocationOf } from "./environment.ts";
import type { Container, Pod } from "./pod.ts";

const container: Container = {
  name: "etcd",
  image: "etcd:3",
  command: ["etcd"],
  args: [
    "--name=$(POD_NAME)",
    "--listen=https://$(POD_IP):2379",
    "--no=$(OTHER)",
    "--price=$$(POD_IP)",
  ],
  env: [
    { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
    { name: "COLOR", valueFrom: { fieldRef: { fieldPath: "metadata.labels['color']" } } },
    { name: "URL", value: "https://$(POD_IP)" },
    { name: "STATE", valueFrom: { configMapKeyRef: { name: "membership", key: "state" } } },
    { name: "TOKEN", valueFrom: { secretKeyRef: { name: "token", key: "value" } } },
  ],
};
const pod: Pod = {
  metadata: { name: "a-0", namespace: "team", labels: { color: "blue" } },
  spec: { containers: [container] },
};
const object = (data: Record<string, string>) => ({ metadata: pod.metadata, data });
const at = {
  podIP: "127.1.2.3",
  program: "program",
  configMap: () => object({ state: "new" }),
  secret: () => object({ value: Buffer.from("t0ken").toString("base64") }),
};

test("arguments know the pod's name and address, and leave the rest alone", () => {
  const { command, env } = invocationOf(pod, container, at);
  assert.deepEqual(command, [
    "etcd",
    "--name=a-0",
    "--listen=https://127.1.2.3:2379",
    "--no=$(OTHER)",
    "--price=$(POD_IP)",
  ]);
  assert.deepEqual(env, {
    POD_NAME: "a-0",
    POD_IP: "127.1.2.3",
    COLOR: "blue",
    URL: "https://127.1.2.3",
    STATE: "new",
    TOKEN: "t0ken",
  });
});

test("a container waits for a key that is not there", () => {
  assert.throws(() => invocationOf(pod, container, { ...at, configMap: () => undefined }), {
    code: "NotYet",
    message: 'there is no key state in "membership" yet',
  });
});

test("a container without a command runs the program of its image", () => {
  const { command } = invocationOf(pod, { name: "x", image: "y", args: ["z"] }, at);
  assert.deepEqual(command, ["program", "z"]);
});

test("a field that is not known is told", () => {
  const env = [{ name: "X", valueFrom: { fieldRef: { fieldPath: "status.hostIPs" } } }];
  assert.throws(
    () => invocationOf(pod, { ...container, env }, at),
    /could not run pod a-0: the process node does not know status\.hostIPs/,
  );
});
