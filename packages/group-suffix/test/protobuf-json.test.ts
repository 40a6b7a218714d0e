import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createJsonRenamer } from "@rookery/group-suffix";
import { keptObjects, mapping } from "./protobuf-objects.ts";

/** No API server of today has them, and their fields have other names than those that came after. */
const past = new Set([
  "autoscaling/v2beta1 HorizontalPodAutoscaler",
  "extensions/v1beta1 Ingress",
  "networking.k8s.io/v1beta1 Ingress",
]);

/** The same objects as in Protobuf: whatever a client asks for, it reads of the same groups. */
describe("an object of every kind, as Go writes it in JSON", () => {
  const renamer = createJsonRenamer({ mapping });
  const isPresent = ({ name }: { name: string }) =>
    name !== "watch" && !past.has(name.replace(/List$/, ""));

  for (const { name, json, renamedJson } of keptObjects().filter(isPresent)) {
    it(`${name} becomes what Kubernetes' own types make of it, and comes back`, () => {
      const renamed = renamer.rename(json, undefined);
      assert.deepEqual(parse(renamed), parse(renamedJson));
      assert.deepEqual(Buffer.from(renamer.rename(renamed, undefined)), Buffer.from(json));
      const isSame = Buffer.from(json).equals(renamedJson);
      if (isSame) assert.equal(renamed, json);
    });
  }
});

function parse(json: Uint8Array): unknown {
  return JSON.parse(Buffer.from(json).toString());
}
