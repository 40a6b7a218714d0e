import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { allowedNamespaces, type Identity } from "./identities.ts";

describe("the namespaces that may use an identity are shown", () => {
  const rows: Record<string, [allowed: object | undefined, shown: string]> = {
    "as none where nothing is said": [undefined, "none"],
    "as all where what is said is empty": [{}, "all"],
    "by their names": [{ list: ["a", "b"] }, "a,b"],
    "by labels": [{ selector: { matchLabels: { tier: "dev", team: "x" } } }, "[tier=dev, team=x]"],
    "by expressions": [
      {
        list: ["a"],
        selector: {
          matchExpressions: [
            { key: "tier", operator: "In", values: ["dev", "test"] },
            { key: "old", operator: "DoesNotExist" },
          ],
        },
      },
      "a,[tier In (dev test), old DoesNotExist]",
    ],
    "as all where the selector is empty": [{ selector: {} }, "all"],
  };
  for (const [name, [allowed, shown]] of Object.entries(rows)) {
    it(name, () => {
      const spec = { ...(allowed && { allowedNamespaces: allowed }) };
      assert.equal(allowedNamespaces({ spec } as Identity), shown);
    });
  }
});
