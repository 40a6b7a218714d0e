import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isNamespaceAllowed } from "./allowed-namespaces.ts";

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
