import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type Credentials,
  type Kubernetes,
  notOnEmbedded,
  startKubernetes,
} from "@rookery/testing";
import { ask } from "./asking.ts";
import {
  methodOf,
  ownRefusal,
  type Refusal,
  recordedRefusals,
  recordRefusals,
  refusalOf,
  suites,
} from "./differential-answers.ts";
import { crdOf, kinds, serverOf } from "./differential-kinds.ts";
import { group, type Row } from "./differential-rows.ts";

/** Keep what the server says for the tests that do without it, instead of comparing with what it said. */
const recording = process.env.ROOKERY_CONFORMANCE === "record";

/** Verbs and resources come in any order, and the hash of what is stored is the store's. */
function withoutOrder(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === "verbs") return value.toSorted();
    if (key === "resources") return value.toSorted(byText);
    return key === "storageVersionHash" ? undefined : value;
  });
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

const skip = await notOnEmbedded("it is kube-apiserver that recorded answers are of");

describe("bad requests are answered as a real kube-apiserver answers them", { skip }, () => {
  let kubernetes: Kubernetes;
  let nobody: Credentials;
  const answers: Record<string, Record<string, Refusal>> = {};

  before(async () => {
    kubernetes = await startKubernetes();
    for (const kind of kinds) await kubernetes.applyCrd(crdOf(kind));
    nobody = await kubernetes.user({ name: "jane" });
  });

  after(async () => {
    if (recording) recordRefusals(answers);
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    for (const { plural } of kinds)
      await kubernetes?.request("DELETE", `${crds}/${plural}.${group}`);
    await kubernetes?.[Symbol.asyncDispose]();
  });

  async function realRefusal(row: Row, as: Credentials | undefined): Promise<Refusal> {
    const { path, headers = {}, body } = row;
    const contentType = headers["content-type"];
    const answer = await kubernetes.request(methodOf(row), path, {
      headers: { "user-agent": "rookery", ...headers },
      ...(body !== undefined && { body: Buffer.from(body) }),
      ...(contentType && { contentType }),
      ...(as && { as }),
    });
    assert.ok(answer.status >= 400, `the row is answered well: ${JSON.stringify(answer.body)}`);
    return refusalOf(answer);
  }

  for (const [suite, { rows, handler, powerless = false }] of Object.entries(suites)) {
    for (const [sentence, row] of Object.entries(rows)) {
      test(`${suite}: ${sentence}`, async () => {
        const real = await realRefusal(row, powerless ? nobody : undefined);
        answers[suite] = { ...answers[suite], [sentence]: real };
        assert.deepEqual(await ownRefusal(row, handler()), real);
        if (!recording) assert.deepEqual(recordedRefusals()[suite]?.[sentence], real);
      });
    }
  }

  test("discovery says the same of the same kinds", async () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const handler = serverOf();
    for (const path of [`/apis/${group}`, `/apis/${group}/v1`]) {
      const real = await kubernetes.request("GET", path);
      const own = await ask(handler, path, { headers: { accept: "application/json" } });
      assert.deepEqual(withoutOrder(own.body), withoutOrder(real.body));
    }
    const itemOf = (body: { items: { metadata: { name: string } }[] }) =>
      body.items.find(({ metadata }) => metadata.name === group);
    const real = await kubernetes.request("GET", "/apis", { headers: { accept } });
    const own = await ask(handler, "/apis", { headers: { accept } });
    assert.equal(own.headers["content-type"], real.headers["content-type"]);
    assert.deepEqual(withoutOrder(itemOf(own.body)), withoutOrder(itemOf(real.body)));
  });

  test("nobody: a token that is not good", async () => {
    const row = { path: "/apis", headers: { authorization: "Bearer nonsense" } };
    const authenticate = () => {
      throw new Error("invalid bearer token");
    };
    const handler = serverOf({ authenticate, onError: () => {} });
    const { path, headers } = row;
    const real = await kubernetes.request("GET", path, { headers, as: "anonymous" });
    const own = await ask(handler, path, { headers: { accept: "application/json", ...headers } });
    assert.deepEqual(refusalOf(own), refusalOf(real));
  });
});
