import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { collectBody } from "@rookery/http";
import { encodeEnvelope, parseRequestInfo, protobufMediaType, WireWriter } from "@rookery/kube";
import { request } from "../../test/handler.ts";
import { checkBody } from "./check-body.ts";
import { createVisibility } from "./visibility.ts";

const visibility = createVisibility({ type: "namespaces", namespaces: ["a"] }, "own");
const authorization = "/apis/authorization.k8s.io/v1";

async function check(path: string, body: string | Buffer, type = "application/json") {
  const asked = request({
    method: "POST",
    path,
    headers: { "content-type": type, "content-length": `${body.length}` },
    body: Buffer.from(body),
  });
  const { body: sent, headers } = await checkBody(asked, parseRequestInfo(asked), visibility);
  const text = Buffer.from(await collectBody(sent, { limit: 1 << 20 })).toString();
  return { text, length: headers["content-length"] };
}

describe("a body that names a namespace which its path does not", () => {
  const passing: Record<string, [path: string, body: object]> = {
    "a review of access in the scope": [
      `${authorization}/subjectaccessreviews`,
      { spec: { resourceAttributes: { namespace: "a" } } },
    ],
    "a review of access in all namespaces": [
      `${authorization}/selfsubjectaccessreviews`,
      { spec: { resourceAttributes: { verb: "list" } } },
    ],
    "a review of access to a path": [
      `${authorization}/subjectaccessreviews`,
      { spec: { nonResourceAttributes: { path: "/metrics" } } },
    ],
    "a review of rules in the scope": [
      `${authorization}/selfsubjectrulesreviews`,
      { spec: { namespace: "own" } },
    ],
    "a Namespace of the scope": ["/api/v1/namespaces", { metadata: { name: "a" } }],
    "an event of a cluster-scoped object": [
      "/api/v1/namespaces/default/events",
      { involvedObject: { kind: "Node" } },
    ],
    "an event of an object of the scope": [
      "/api/v1/namespaces/a/events",
      { involvedObject: { namespace: "a" } },
    ],
  };
  for (const [what, [path, body]] of Object.entries(passing)) {
    it(`passes: ${what}`, async () => {
      const text = JSON.stringify(body);
      assert.deepEqual(await check(path, text), { text, length: `${text.length}` });
    });
  }

  const twice = '{"spec":{"resourceAttributes":{"namespace":"c"}},"spec":{}}';
  const refused: Record<string, [path: string, body: string, httpStatus: number]> = {
    "a review of access elsewhere": [
      `${authorization}/subjectaccessreviews`,
      '{"spec":{"resourceAttributes":{"namespace":"c"}}}',
      403,
    ],
    "a review of rules elsewhere": [
      `${authorization}/selfsubjectrulesreviews`,
      '{"spec":{"namespace":"c"}}',
      403,
    ],
    "a Namespace of others": ["/api/v1/namespaces", '{"metadata":{"name":"c"}}', 403],
    "a Namespace whose name is made up": [
      "/api/v1/namespaces",
      '{"metadata":{"generateName":"a"}}',
      403,
    ],
    "an event of an object of others": [
      "/apis/events.k8s.io/v1/namespaces/default/events",
      '{"regarding":{"namespace":"default"}}',
      403,
    ],
    "a namespace that is no text": ["/api/v1/namespaces", '{"metadata":{"name":["a"]}}', 400],
    "what is no JSON": ["/api/v1/namespaces", "{", 400],
  };
  for (const [what, [path, body, httpStatus]] of Object.entries(refused)) {
    it(`is refused: ${what}`, () => assert.rejects(check(path, body), { httpStatus }));
  }

  it("goes on as it was read: servers join what is there twice", async () => {
    const { text } = await check(`${authorization}/subjectaccessreviews`, twice);
    assert.equal(text, '{"spec":{}}');
  });

  it("is read in Protobuf as well, however often it names one", async () => {
    const review = (...namespaces: string[]) => {
      const message = new WireWriter();
      for (const namespace of namespaces) {
        message.message(2, (spec) => {
          spec.message(1, (attributes) => void attributes.string(1, namespace));
        });
      }
      const typeMeta = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview" };
      return Buffer.from(encodeEnvelope({ typeMeta, raw: message.finish() }).finish());
    };
    const path = `${authorization}/subjectaccessreviews`;
    await check(path, review("a"), protobufMediaType);
    for (const namespaces of [["c"], ["c", "a"], ["a", "c"]]) {
      await assert.rejects(check(path, review(...namespaces), protobufMediaType), {
        httpStatus: 403,
      });
    }
  });

  it("is refused where nobody here reads it", async () => {
    const path = `${authorization}/subjectaccessreviews`;
    await assert.rejects(check(path, "spec: {}", "application/yaml"), { httpStatus: 415 });
  });
});
