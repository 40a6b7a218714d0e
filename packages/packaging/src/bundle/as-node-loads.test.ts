import assert from "node:assert/strict";
import { test } from "node:test";
import { withExports, withPlace } from "./as-node-loads.ts";

test("a module in the bundle knows where it would be below files/", () => {
  assert.equal(
    withPlace("read(import.meta.url)", "embedded-apiserver/src/types/models.ts"),
    'read(new URL("../files/embedded-apiserver/src/types/models.ts", import.meta.url).href)',
  );
  assert.equal(
    withPlace("import.meta.dirname", "embedded-apiserver/src/types/models.ts"),
    'process.getBuiltinModule("node:url").fileURLToPath(new URL("../files/embedded-apiserver/src/types", import.meta.url))',
  );
});

const lazy: Readonly<Record<string, readonly [source: string, isChanged: boolean]>> = {
  "a package that is imported lazily has its exports": ['await import("yaml")', true],
  "a package of ours is no CommonJS": ['await import("@rookery/kube")', false],
  "nor is a file of ours": ['await import("./program.ts")', false],
  "nor is what Node has": ['await import("node:util")', false],
  "a type stays a type": ['type Library = typeof import("yaml")', false],
  "so does one of its types": ['let options: import("yaml").ParseOptions', false],
};
for (const [sentence, [source, isChanged]] of Object.entries(lazy)) {
  test(sentence, () => assert.equal(withExports(source) !== source, isChanged));
}
