import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isProportional, measureGrowth } from "@rookery/testing";
import { stringify } from "yaml";
import { type Amplified, amplified } from "./amplified.ts";
import { subjects } from "./corpus.ts";
import { collectionOf, namespace } from "./requests.ts";
import { startWholeServer, type WholeServer } from "./whole-server.ts";

let server: WholeServer;

before(async () => {
  server = await startWholeServer();
  await post("/api/v1/namespaces", { metadata: { name: namespace } });
});

after(() => server?.[Symbol.asyncDispose]());

function post(path: string, object: object, contentType = "application/json") {
  const text = contentType === "application/json" ? JSON.stringify(object) : stringify(object);
  const body = { contentType, bytes: Buffer.from(text) };
  return server.ask({ method: "POST", path, query: "dryRun=All", headers: {}, body });
}

const many = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => item(index));
const owner = (index: number) => ({
  apiVersion: "v1",
  kind: "Pod",
  name: `p${index}`,
  uid: `u${index}`,
  controller: true,
});
const secret = (metadata: object, data = {}) => ({ metadata: { name: "a", ...metadata }, data });
const managers = (count: number) =>
  many(count, (i) => ({
    manager: `m${i}`,
    operation: "Update",
    apiVersion: "v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { [`f:k${i}`]: {} } },
  }));

const secrets = `/api/v1/namespaces/${namespace}/secrets`;
/** What a tenant sends, by what it would do to the server. */
const attacks: Readonly<Record<string, (size: number) => Promise<unknown>>> = {
  "a tenant sends a Secret with thousands of owners": (n) =>
    post(secrets, secret({ ownerReferences: many(n, owner) })),
  "a tenant sends a Secret with one owner thousands of times": (n) =>
    post(secrets, secret({ ownerReferences: many(n, () => owner(0)) })),
  "a tenant sends a Secret with thousands of bad finalizers": (n) =>
    post(secrets, secret({ finalizers: many(n, (i) => `f${i}`) })),
  "a tenant sends a Secret with thousands of managers": (n) =>
    post(secrets, {
      ...secret({ managedFields: managers(n) }),
      data: Object.fromEntries(many(n, (i) => [`k${i}`, "YQ=="])),
    }),
  "a tenant sends YAML of thousands of keys": (n) =>
    post(
      secrets,
      secret({ labels: Object.fromEntries(many(n, (i) => [`k${i}`, "a"])) }),
      "application/yaml",
    ),
  "a tenant sends YAML whose lines are all wrong": (n) =>
    server.ask({
      method: "POST",
      path: secrets,
      query: "",
      headers: {},
      body: { contentType: "application/yaml", bytes: Buffer.from("a: b: c\n".repeat(n)) },
    }),
  "a tenant applies thousands of keys": (n) =>
    server.ask({
      method: "PATCH",
      path: `${secrets}/a`,
      headers: {},
      query: "dryRun=All&fieldManager=x&force=true",
      body: {
        contentType: "application/apply-patch+yaml",
        bytes: Buffer.from(
          JSON.stringify({
            apiVersion: "v1",
            kind: "Secret",
            ...secret({}),
            data: Object.fromEntries(many(n, (i) => [`k${i}`, "YQ=="])),
          }),
        ),
      },
    }),
  "a tenant sends a StorageClass of thousands of equal topologies": (n) =>
    post("/apis/storage.k8s.io/v1/storageclasses", {
      metadata: { name: "a" },
      provisioner: "a.example.com",
      allowedTopologies: many(n, () => ({})),
    }),
};

for (const [attack, send] of Object.entries(attacks)) {
  test(attack, () => assertProportional(attack, send, 1000));
}

/** Templates repeat what pods have, and metadata is the same for all kinds. */
const isRepeated = (name: string) => /template\.|emplate\.|metadata\.|text/i.test(name);

for (const subject of subjects) {
  const fields = amplified(subject).filter(({ name }) => !isRepeated(name));
  if (fields.length === 0) continue;
  test(`a tenant fills any field of a ${subject.kind} with thousands of items`, async () => {
    for (const field of fields)
      await assertProportional(field.name, (n) => sendFilled(field, n), 250);
  });
}

function sendFilled({ subject, build }: Amplified, size: number): Promise<unknown> {
  return post(collectionOf(subject, namespace), build(size));
}

async function assertProportional(
  name: string,
  run: (size: number) => Promise<unknown>,
  size: number,
): Promise<void> {
  const { small, large } = await measureGrowth(
    { build: (n) => n, run: (n) => run(n as number) },
    size,
  );
  assert.ok(isProportional(small, large), `${name}: ${small} ms, four times as much ${large} ms`);
}
