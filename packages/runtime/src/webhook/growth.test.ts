import { Context, type HttpRequest } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { growing, testGrowth } from "@rookery/testing";
import { silentLogger } from "../logging/logger.ts";
import { conversionWebhook } from "./conversion-webhook.ts";
import { mutatingWebhook } from "./kind-webhooks.ts";
import type { Webhook } from "./webhook.ts";

const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));
const map = (length: number) => Object.fromEntries(list(length, (i) => [`k${i}`, i]));
const object = (spec: unknown) => ({
  apiVersion: "example.com/v1",
  kind: "Auk",
  metadata: { name: "a" },
  spec,
});

const answered = (webhook: Webhook, build: (size: number) => object) =>
  growing({
    build: (n): HttpRequest => ({
      method: "POST",
      path: webhook.path,
      query: "",
      context: Context.empty,
      signal: new AbortController().signal,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(build(n))),
    }),
    run: (request) => webhook.createHandler({ logger: silentLogger, onPanic: () => {} })(request),
  });
const review = (build: (size: number) => unknown) => (size: number) => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: { uid: "u", operation: "CREATE", object: object(build(size)) },
});

const kind = { group: "example.com", version: "v1", kind: "Auk" };
const reversed = mutatingWebhook(kind, (given: KubeObject) => {
  const { spec } = given as KubeObject & { spec: unknown };
  const changed = Array.isArray(spec) ? spec.toReversed() : { changed: true };
  return { ...given, spec: changed } as KubeObject;
});
const converter = conversionWebhook([{ ...kind, convert: (given) => ({ ...given }) }]);

testGrowth({
  "a mutation of many keys": answered(reversed, review(map)),
  "a mutation of many items": answered(
    reversed,
    review((n) => list(n, (i) => ({ name: `n${i}` }))),
  ),
  "a mutation of a list of texts": answered(
    reversed,
    review((n) => list(n, (i) => `t${i}`)),
  ),
  "a conversion of many objects": answered(converter, (n) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "u", desiredAPIVersion: "example.com/v2", objects: list(n, () => object({})) },
  })),
  "a conversion of a large object": answered(converter, (n) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "u", desiredAPIVersion: "example.com/v2", objects: [object(map(n))] },
  })),
});
