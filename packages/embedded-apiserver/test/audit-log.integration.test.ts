import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";

const configMaps = "/api/v1/namespaces/default/configmaps";
const hooks = "/apis/admissionregistration.k8s.io/v1";
/** Nobody listens there. */
const clientConfig = { url: "https://127.0.0.1:9/" };

let servers: readonly Kubernetes[] = [];

before(async () => {
  const options = { private: true, audit: "Metadata", controllerManager: false } as const;
  const flavours = ["kube-apiserver", "embedded"] as const;
  servers = await Promise.all(flavours.map((flavour) => startKubernetes({ ...options, flavour })));
});

after(() => Promise.all(servers.map((server) => server[Symbol.asyncDispose]())));

test("both servers write down the same of what was decided, and of webhooks that were passed over", async () => {
  const [real, embedded] = await Promise.all(servers.map(play));
  assert.equal(real?.length, 5);
  assert.deepEqual(embedded, real);
});

/** Creates, changes and asks, by an administrator and by somebody who may not. */
async function play(server: Kubernetes): Promise<readonly object[]> {
  for (const type of ["Mutating", "Validating"]) await passOver(server, type);
  const jane = await server.user({ name: "jane" });
  const marker = { name: "noted" };
  const created = await waitFor(
    async () => {
      const { body, status } = await server.request("POST", configMaps, {
        body: { metadata: marker },
      });
      assert.equal(status, 201);
      if ((await linesOf(server, "create")).at(-1)?.annotations?.[passedOver]) return body;
      // It has not heard of the webhooks yet.
      await server.request("DELETE", `${configMaps}/noted`);
      return undefined;
    },
    { what: "webhooks to be asked" },
  );
  await server.request("PUT", `${configMaps}/noted`, { body: { ...created, data: { a: "1" } } });
  await server.request("GET", configMaps, { as: jane });
  await server.request("GET", "/version");
  await server.request("POST", configMaps, { body: { metadata: { generateName: "noted-" } } });
  const lines = await waitFor(
    async () => {
      const all = await linesOf(server);
      const last = all.findLastIndex(({ verb, objectRef }) => verb === "create" && objectRef?.name);
      return all.length >= last + 5 && all.slice(last, last + 5);
    },
    { what: "all requests to be written down" },
  );
  return lines.map(({ verb, user, objectRef, annotations, responseStatus }) => ({
    verb,
    user: user.username,
    annotations,
    code: responseStatus.code,
    objectRef: objectRef && {
      ...objectRef,
      ...(objectRef.uid && { uid: "?", resourceVersion: "?" }),
    },
  }));
}

const passedOver = "failed-open.validating.webhook.admission.k8s.io/round_0_index_0";

/** A webhook that is asked of ConfigMaps, does not answer, and need not. */
async function passOver(server: Kubernetes, type: string): Promise<void> {
  const rule = {
    operations: ["CREATE"],
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["configmaps"],
  };
  const webhook = {
    name: `${type.toLowerCase()}.example.com`,
    clientConfig,
    rules: [rule],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    failurePolicy: "Ignore",
  };
  const kind = `${type}WebhookConfiguration`;
  const { status } = await server.request("POST", `${hooks}/${kind.toLowerCase()}s`, {
    body: { metadata: { name: "absent" }, webhooks: [webhook] },
  });
  assert.equal(status, 201);
}

interface Line {
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly name?: string; readonly uid?: string; readonly resource: string };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly responseStatus: { readonly code: number };
}

/** What the users of this test asked for. */
async function linesOf(server: Kubernetes, verb?: string): Promise<readonly Line[]> {
  const text = await readFile(join(server.logs, "audit.log"), "utf8");
  return text
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ stage }) => stage === "ResponseComplete")
    .filter(({ requestURI }) => requestURI === "/version" || requestURI.startsWith(configMaps))
    .filter((line) => verb === undefined || line.verb === verb);
}
