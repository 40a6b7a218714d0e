import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTransport, loadConfig, type Transport } from "@rookery/client";
import { collectBody, headerValue } from "@rookery/http";
import { notOnEmbedded, waitFor } from "@rookery/testing";
import { parse } from "yaml";
import { deletions, looks, type Step, watches, writes } from "./differential-steps.ts";
import { request } from "./passing-world.ts";
import type { RunningProxy } from "./start-proxy.ts";
import { normalize, startTwoWorlds, type TwoWorlds } from "./two-worlds.ts";
import { virtualGroup, widgetCrd } from "./widgets.ts";
import { framesText, wireText } from "./wire-text.ts";

interface Side {
  readonly proxy: RunningProxy;
  readonly transport: Transport;
}

const needsProtobuf = await notOnEmbedded("it answers in JSON alone");
const skipOf = ({ accept = "" }: Step) => accept.includes("kubernetes.protobuf") && needsProtobuf;

describe("the same script, once directly and once through the proxy, in every representation", () => {
  let worlds: TwoWorlds;
  let sides: readonly Side[] = [];

  before(async () => {
    worlds = await startTwoWorlds();
    sides = await Promise.all(
      [worlds.direct, worlds.renamed].map(async (proxy) => ({
        proxy,
        transport: createTransport(await loadConfig({ path: proxy.kubeconfig }), { retries: 0 }),
      })),
    );
    await Promise.all(sides.map(prepare));
  });
  after(async () => {
    for (const { transport } of sides) await transport.destroy();
    await worlds?.[Symbol.asyncDispose]();
  });

  /** Both answer the same, and what is to be expected. */
  async function run(step: Step): Promise<void> {
    const [direct = "", renamed] = await Promise.all(sides.map((side) => ask(side, step)));
    assert.match(direct, step.fails ? /^4\d\d / : /^20\d /);
    assert.equal(renamed, direct);
  }

  for (const [name, step] of Object.entries(writes)) {
    test(`a write: ${name}`, { skip: skipOf(step) }, () => run(step));
  }

  test("an object that others own", async () => {
    await Promise.all(sides.map(createOwned));
  });

  for (const [name, step] of Object.entries(looks))
    test(`a read: ${name}`, { skip: skipOf(step) }, () => run(step));

  for (const [name, step] of Object.entries(watches))
    test(`a watch ${name}`, { skip: skipOf(step) }, () => run(step));

  for (const [name, step] of Object.entries(deletions)) test(`a deletion ${name}`, () => run(step));
});

async function prepare({ proxy }: Side): Promise<void> {
  await proxy.kubectl(["create", "namespace", "diff"]);
  await proxy.kubectl(["create", "-f", "-"], { stdin: JSON.stringify(widgetCrd(virtualGroup)) });
  const crd = `crd/widgets.${virtualGroup}`;
  const patience = { timeout: 120_000 };
  // As long as it has no conditions at all, kubectl does not wait for one.
  await waitFor(() => proxy.kubectl(["wait", "--for=condition=Established", crd]), {
    what: "the CRD",
    ...patience,
  });
  for (const version of ["v1", "v1beta1"]) {
    const path = `/openapi/v3/apis/${virtualGroup}/${version}`;
    await waitFor(() => proxy.kubectl(["get", "--raw", path]), {
      what: "the documentation",
      ...patience,
    });
  }
  await waitFor(
    async () => (await proxy.kubectl(["get", "--raw", "/openapi/v2"])).includes(virtualGroup),
    { what: "the older documentation", ...patience },
  );
  const found = ["api-resources", `--api-group=${virtualGroup}`];
  await waitFor(async () => (await proxy.kubectl(found)).includes("widgets"), {
    what: "discovery",
    ...patience,
  });
  // What is in every namespace is in both before they are compared.
  const published = ["get", "configmap", "kube-root-ca.crt", "--namespace=diff"];
  await waitFor(() => proxy.kubectl(published), { what: "the namespace", ...patience });
}

async function createOwned({ proxy }: Side): Promise<void> {
  const words = ["get", "widget", "a", "-n", "diff", "-o", "jsonpath={.metadata.uid}"];
  const owner = { apiVersion: `${virtualGroup}/v1`, kind: "Widget", name: "a" };
  const metadata = {
    name: "owned",
    namespace: "diff",
    ownerReferences: [{ ...owner, uid: await proxy.kubectl(words) }],
  };
  const stdin = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata });
  await proxy.kubectl(["apply", "-f", "-"], { stdin });
}

/** Status, media type and body of an answer, without what differs from cluster to cluster. */
async function ask({ proxy, transport }: Side, step: Step): Promise<string> {
  const { method = "GET", path: target, accept = "application/json", body } = step;
  const [path = "", query = ""] = target.split("?");
  const bytes = typeof body === "string" ? body : JSON.stringify(body ?? "");
  const response = await transport.handler(
    request({
      method,
      path,
      query,
      headers: { accept, "content-type": step.contentType ?? "application/json" },
      ...(body !== undefined && { body: Buffer.from(bytes) }),
    }),
  );
  const type = headerValue(response.headers, "content-type") ?? "";
  const answer = await collectBody(response.body, { limit: 1 << 26 });
  const clean = (text: string) => normalize(text, proxy);
  const isWatch = query.startsWith("watch=1");
  return `${response.status} ${type}\n${bodyText(answer, { type, isWatch, clean })}`;
}

interface BodyOptions {
  readonly type: string;
  readonly isWatch: boolean;
  readonly clean: (text: string) => string;
}

function bodyText(body: Uint8Array, { type, isWatch, clean }: BodyOptions): string {
  if (/protobuf/.test(type)) return isWatch ? framesText(body, clean) : wireText(body, clean);
  const text = Buffer.from(body).toString();
  if (isWatch || text.startsWith("404 page")) return clean(text);
  // The index of OpenAPI is JSON that is called text; YAML may be written in more than one way.
  const value = /yaml/.test(type) ? parse(text) : JSON.parse(text);
  return canonical(JSON.parse(clean(withoutGroupHashes(JSON.stringify(value)))));
}

/** JSON with its fields in order, and with lists of groups in order, which is that of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(ordered(value), null, 1);
}

/** What an API server makes from the name of a group and no client takes for one. */
function withoutGroupHashes(text: string): string {
  return text.replaceAll(/(\?hash=)[\w%-]+/g, "$1<hash>");
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(ordered);
    const byText = (one: unknown) => JSON.stringify(one);
    return items.toSorted((a, b) => (byText(a) < byText(b) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, ordered(child)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
