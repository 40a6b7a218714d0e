import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Kubernetes, startKubernetes } from "@rookery/testing";

interface Sent {
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/** A busy machine holds up a request that long now and then, whatever is sent beside it. */
const quietMs = 1000;
/** How much longer a GET may wait beside a heavy body than beside an ordinary one of its size. */
const maxRatio = 4;
/** The same, than beside a fourth of it: where time is squared it waits sixteen times as long. */
const maxGrowth = 8;
const maxRounds = 8;

/** Large Secrets are refused when they have been read and checked, YAML of more than a mebibyte before. */
const expected: readonly number[] = [200, 201, 400, 413, 422];

const secrets = "/api/v1/namespaces/default/secrets";
const create = (contentType: string, body: string): Sent => ({
  method: "POST",
  path: `${secrets}?dryRun=All`,
  contentType,
  body,
});
const texts = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join("");
const owner = (index: number) =>
  `{"apiVersion":"v1","kind":"Pod","name":"p${index}","uid":"u${index}"},`;

const yaml = (count: number) => texts(count, (i) => `k${i}: 1\n`);

/** An ordinary Secret of this many bytes. */
function ordinary(length: number): Sent {
  const value = "YWJj".repeat(4096);
  const values = texts(Math.ceil(length / value.length), (i) => `"k${i}":"${value}",`);
  return create("application/json", `{"metadata":{"name":"a"},"data":{${values}"z":""}}`);
}

/** Each in full, or a part of it. */
const heavy: Readonly<Record<string, (part: number) => Sent>> = {
  "301 KiB of owners": (part) =>
    create(
      "application/json",
      `{"metadata":{"name":"a","ownerReferences":[${texts(5100 * part, owner)}${owner(0).slice(0, -1)}]}}`,
    ),
  "90,000 keys in YAML": (part) => create("application/yaml", yaml(90_000 * part)),
  "180,000 keys in YAML": (part) => create("application/yaml", yaml(180_000 * part)),
  "2.9 MB that are applied": (part) => ({
    method: "PATCH",
    path: `${secrets}/a?dryRun=All&fieldManager=a&force=true`,
    contentType: "application/apply-patch+yaml",
    body: `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"data":{${texts(145_000 * part, (i) => `"k${i}":"YWFh",`)}"z":""}}`,
  }),
};

describe("a body that is costly to read", () => {
  let kubernetes: Kubernetes;
  before(async () => {
    kubernetes = await startKubernetes({ flavour: "embedded", controllerManager: false });
  });
  after(() => kubernetes?.[Symbol.asyncDispose]());

  for (const [name, build] of Object.entries(heavy)) {
    it(`keeps other clients no longer waiting than an ordinary one: ${name}`, async () => {
      const [whole, fourth] = [build(1), build(1 / 4)];
      const plain = ordinary(whole.body.length);
      let [ofPlain, ofFourth, ofWhole] = [Infinity, Infinity, Infinity];
      // The least of several rounds counts: a busy machine only adds to them.
      for (let round = 0; round < maxRounds; round++) {
        ofPlain = Math.min(ofPlain, await longestWait(kubernetes, plain));
        ofFourth = Math.min(ofFourth, await longestWait(kubernetes, fourth));
        ofWhole = Math.min(ofWhole, await longestWait(kubernetes, whole));
        const allowed = Math.max(maxRatio * Math.max(ofPlain, quietMs), maxGrowth * ofFourth);
        if (ofWhole <= allowed) return;
      }
      assert.fail(
        `${ofWhole} ms beside it, ${ofFourth} ms a fourth, ${ofPlain} ms an ordinary one`,
      );
    });
  }
});

/** In milliseconds, the longest of the GETs that are sent one after another while a body is taken. */
async function longestWait(kubernetes: Kubernetes, { method, path, ...sent }: Sent) {
  let done = false;
  let longest = 0;
  const answered = kubernetes.request(method, path, sent).finally(() => {
    done = true;
  });
  do {
    const start = performance.now();
    const { status } = await kubernetes.request("GET", "/api/v1/namespaces/default");
    assert.equal(status, 200);
    longest = Math.max(longest, performance.now() - start);
  } while (!done);
  const { status, body } = await answered;
  assert.ok(expected.includes(status), `${status}: ${JSON.stringify(body).slice(0, 500)}`);
  return longest;
}
