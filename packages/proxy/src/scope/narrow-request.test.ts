import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { request } from "../handler-fixture.ts";
import { filterable, withFieldSelector } from "./narrow-request.ts";

describe("a request whose answer is to be filtered", () => {
  const rows: Record<string, [accept: string | readonly string[], expected: string]> = {
    "of client-go": [
      "application/vnd.kubernetes.protobuf,application/json",
      "application/vnd.kubernetes.protobuf,application/json",
    ],
    "that would rather have CBOR or YAML": [
      "application/cbor, application/yaml,application/json;q=0.5",
      "application/json;q=0.5",
    ],
    "that takes anything": ["*/*", "*/*"],
    "with several headers": [["application/yaml", "application/json"], "application/json"],
  };
  for (const [what, [accept, expected]] of Object.entries(rows)) {
    it(`asks for what can be read: one ${what}`, () =>
      assert.equal(filterable(request({ headers: { accept } })).headers.accept, expected));
  }

  it("is refused where nothing of what it takes can be read", () => {
    const yaml = request({ headers: { accept: "application/yaml" } });
    assert.throws(() => filterable(yaml), { httpStatus: 406 });
  });

  it("asks for what is not packed", () => {
    const { headers } = filterable(request({ headers: { "accept-encoding": "gzip" } }));
    assert.deepEqual(headers, {});
  });

  const tables: Record<string, string> = {
    "": "includeObject=Metadata",
    "limit=5&includeObject=None": "limit=5&includeObject=Metadata",
    "includeObject=Object&limit=5": "limit=5&includeObject=Object",
  };
  for (const [query, expected] of Object.entries(tables)) {
    it(`has the objects of a Table come along: ${query || "by default"}`, () => {
      const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };
      assert.equal(filterable(request({ headers, query })).query, expected);
    });
  }
});

describe("a field selector", () => {
  const rows: Record<string, string> = {
    "": "fieldSelector=metadata.namespace!=a",
    "limit=5&watch=1": "limit=5&watch=1&fieldSelector=metadata.namespace!=a",
    "fieldSelector=spec.x%3Dy&limit=5": "limit=5&fieldSelector=spec.x%3Dy,metadata.namespace!=a",
    "fieldSelector=": "fieldSelector=metadata.namespace!=a",
    "fieldSelector=a%3Db&field%53elector=c%3Dd": "fieldSelector=a%3Db,metadata.namespace!=a",
  };
  for (const [query, expected] of Object.entries(rows)) {
    it(`is added to "${query}"`, () =>
      assert.equal(withFieldSelector(request({ query }), "metadata.namespace!=a").query, expected));
  }
});
