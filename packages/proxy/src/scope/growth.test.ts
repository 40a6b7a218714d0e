import { encodeEnvelope, parseRequestInfo, protobufMediaType, WireWriter } from "@rookery/kube";
import { growing, pieces, testGrowth } from "@rookery/testing";
import { request } from "../../test/handler.ts";
import { checkBody } from "./check-body.ts";
import { filterable, withFieldSelector, withLabelSelector } from "./narrow-request.ts";
import { createVisibility } from "./visibility.ts";

const visibility = createVisibility({ type: "namespaces", namespaces: ["a"] }, "own");
const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
const typeMeta = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview" };

const body = (build: (size: number) => string | Uint8Array, type = "application/json") =>
  growing({
    build: (n) =>
      request({
        method: "POST",
        path,
        headers: { "content-type": type },
        body: Buffer.from(build(n)),
      }),
    run: (asked) => checkBody(asked, parseRequestInfo(asked), visibility),
  });
const protobuf = (write: (size: number, message: WireWriter) => void) =>
  body((n) => {
    const message = new WireWriter();
    write(n, message);
    return encodeEnvelope({ typeMeta, raw: message.finish() }).finish();
  }, protobufMediaType);
const narrowed = (build: (size: number) => { accept?: string; query?: string }) =>
  growing({
    build: (n) => {
      const { accept, query = "" } = build(n);
      return request({ query, headers: accept === undefined ? {} : { accept } });
    },
    run: (asked) =>
      filterable(withLabelSelector(withFieldSelector(asked, "metadata.name=a"), "b=c")),
  });

testGrowth({
  "a body of many keys": body((n) => `{${pieces(n, (i) => `"k${i}":1,`)}"spec":{}}`),
  "a body of one key many times": body((n) => `{${'"spec":{},'.repeat(n)}"spec":{}}`),
  "a body of deep lists": body((n) => `{"spec":${"[".repeat(n)}${"]".repeat(n)}}`),
  "a body that is no JSON": body((n) => `{"spec":"${"x".repeat(32 * n)}`),
  "Protobuf of many specs": protobuf((n, message) => {
    for (let i = 0; i < n; i++) {
      message.message(2, (spec) => spec.message(1, (attributes) => attributes.string(1, "a")));
    }
  }),
  "Protobuf of many namespaces": protobuf((n, message) => {
    message.message(2, (spec) =>
      spec.message(1, (attributes) => {
        for (let i = 0; i < n; i++) attributes.string(1, "a");
      }),
    );
  }),
  "Protobuf of groups that do not end": protobuf((n, message) => {
    message.raw(new Uint8Array(8 * n).fill(0x3b));
  }),
  "a request that takes many types": narrowed((n) => ({ accept: "application/json,".repeat(n) })),
  "a request that takes much space": narrowed((n) => ({ accept: `${" ".repeat(32 * n)}x` })),
  "a request of many parameters": narrowed((n) => ({ query: pieces(n, (i) => `k${i}=1&`) })),
  "a request of many selectors": narrowed((n) => ({
    query: "fieldSelector=a&includeObject=b&".repeat(n),
  })),
});
