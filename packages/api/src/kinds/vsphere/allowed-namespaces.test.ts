import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  allowedNamespacesText,
  isEveryNamespaceAllowed,
  isNamespaceAllowed,
} from "./allowed-namespaces.ts";

const namespace = { name: "team-a", labels: { tier: "dev" } };
const dev = { matchLabels: { tier: "dev" } };
const prod = { matchLabels: { tier: "prod" } };

describe("a namespace", () => {
  const table: Record<string, [Parameters<typeof isNamespaceAllowed>[0], boolean]> = {
    "is refused where nothing is said": [undefined, false],
    "is allowed by what is empty": [{}, true],
    "is allowed by an empty list alone": [{ list: [] }, true],
    "is allowed by an empty selector": [{ selector: {} }, true],
    "is allowed by its name": [{ list: ["team-a"] }, true],
    "is refused by the names of others": [{ list: ["team-b"] }, false],
    "is allowed by its labels": [{ selector: dev }, true],
    "is refused by other labels": [{ selector: prod }, false],
    "is allowed by its name although its labels are others": [
      { list: ["team-a"], selector: prod },
      true,
    ],
    "is allowed by its labels although its name is another": [
      { list: ["team-b"], selector: dev },
      true,
    ],
    "is refused by a selector that is not valid": [
      { selector: { matchExpressions: [{ key: "tier", operator: "In" }] } },
      false,
    ],
    "is refused by an empty list beside other labels": [{ list: [], selector: prod }, false],
  };
  for (const [what, [allowed, expected]] of Object.entries(table)) {
    it(what, () => assert.equal(isNamespaceAllowed(allowed, namespace), expected));
  }

  it("without labels is refused by a selector for some", () => {
    assert.equal(isNamespaceAllowed({ selector: dev }, { name: "team-b" }), false);
  });
});

describe("the namespaces that may use an identity are shown", () => {
  type Allowed = Parameters<typeof isNamespaceAllowed>[0];
  const rows: Record<string, [allowed: Allowed, shown: string]> = {
    "as none where the field is not set": [undefined, "none"],
    "as all where the field is empty": [{}, "all"],
    "as all where the list is empty": [{ list: [] }, "all"],
    "as all where the selector is empty": [{ selector: {} }, "all"],
    "as all where an empty selector stands beside names": [{ list: ["a"], selector: {} }, "all"],
    "by their names": [{ list: ["a", "b"] }, "a,b"],
    "by labels": [{ selector: { matchLabels: { tier: "dev", team: "x" } } }, "[tier=dev, team=x]"],
    "by names and expressions": [
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
  };
  for (const [what, [allowed, shown]] of Object.entries(rows)) {
    it(what, () => {
      assert.equal(allowedNamespacesText(allowed), shown);
      assert.equal(isEveryNamespaceAllowed(allowed), shown === "all");
    });
  }
});
