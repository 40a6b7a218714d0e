import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseQuery } from "@rookery/kube";
import { request } from "../../test/handler.ts";
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
    "that takes older lists of metadata": [
      "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io,application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io",
      "application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io",
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

  const tables: Record<string, string | null> = {
    "": null,
    "limit=5&includeObject=None": "Metadata",
    "includeObject=None&includeObject=Object": "Metadata",
    "includeO%62ject=None": "Metadata",
    "includeObject=Object&limit=5": "Object",
    "includeObject=None;": null,
  };
  for (const [query, expected] of Object.entries(tables)) {
    it(`has the objects of a Table come along: ${query || "by default"}`, () => {
      const asked = parseQuery(filterable(request({ query })).query);
      assert.equal(asked.get("includeObject"), expected);
    });
  }
});

describe("a selector", () => {
  const added = "metadata.namespace!=a";
  const rows: Record<string, Record<string, string>> = {
    "": { fieldSelector: added },
    "limit=5&watch=1": { limit: "5", watch: "1", fieldSelector: added },
    "fieldSelector=spec.x%3Dy&limit=5": { limit: "5", fieldSelector: `${added},spec.x=y` },
    "fieldSelector=": { fieldSelector: added },
    "fieldSelector=a%3Db&field%53elector=c%3Dd": { fieldSelector: `${added},a=b` },
    "fieldSelector=x%5C": { fieldSelector: `${added},x\\` },
    "fieldSelector=x;&limit=%zz&a=b": { a: "b", fieldSelector: added },
  };
  for (const [query, expected] of Object.entries(rows)) {
    it(`comes before those of "${query}"`, () => {
      const { query: found } = withFieldSelector(request({ query }), added);
      assert.deepEqual(Object.fromEntries(new URLSearchParams(found)), expected);
    });
  }
});
