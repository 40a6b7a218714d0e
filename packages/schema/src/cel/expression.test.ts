import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileExpression, compileValue, type Expression } from "./expression.ts";

const variables = {
  object: "dyn",
  nothing: "dyn",
  request: {
    name: "kubernetes.AdmissionRequest",
    fields: {
      operation: "string",
      userInfo: { name: "kubernetes.UserInfo", fields: { groups: { list: "string" } } },
    },
  },
} as const;

function ask(text: string, limit = 1_000_000): boolean | string {
  const expression = compileExpression(text, variables);
  assert.equal(typeof expression, "object", String(expression));
  const object = {
    metadata: { name: "a", labels: { x: "1" } },
    spec: { replicas: 3, share: 0.5, paused: null },
  };
  const request = { operation: "CREATE", userInfo: { groups: ["g", "h"] } };
  return (expression as Expression).evaluate({ object, nothing: null, request }, limit).result;
}

describe("an expression about variables", () => {
  const rows: Record<string, [string, boolean | string]> = {
    "a field of dynamic data": ["object.metadata.name == 'a'", true],
    "a whole number is an int": ["object.spec.replicas == 3 && object.spec.share < 1.0", true],
    "a field of a typed variable": ["request.operation == 'CREATE'", true],
    "a list of a typed variable": ["'h' in request.userInfo.groups", true],
    "a field that is not there": ["has(object.metadata.annotations)", false],
    "a variable that is nothing": ["nothing == null", true],
    "a part of one that is nothing": ["nothing.name == 'a'", "no such key: name"],
    "a field that is nothing": ["object.spec.paused == null && has(object.spec.paused)", true],
    "what can't be told": ["object.metadata.annotations.x == '1'", "no such key: annotations"],
  };
  for (const [name, [text, result]] of Object.entries(rows)) {
    it(name, () => assert.equal(ask(text), result));
  }

  it("may cost no more than it is given", () => {
    assert.match(String(ask("object.metadata.name == 'a'", 1)), /cost limit exceeded/);
  });
});

describe("an expression that can't be compiled", () => {
  it("names a variable that there is not", () => {
    assert.match(
      String(compileExpression("nobody == 1", variables)),
      /undeclared reference to 'nobody'/,
    );
  });

  it("names a field that there is not", () => {
    assert.match(
      String(compileExpression("request.what == 1", variables)),
      /undefined field 'what'/,
    );
  });

  it("must be a condition", () => {
    assert.equal(
      compileExpression("request.operation", variables),
      "must evaluate to bool but got string",
    );
  });
});

describe("an expression that gives data", () => {
  const claims = { name: "pip", groups: ["a", "b"], age: 7, none: null, deep: { list: [["x"]] } };
  const said = (text: string, limit = 1_000_000) => {
    const compiled = compileValue(text, { claims: { map: "dyn" } }, { numbers: "doubles" });
    if (typeof compiled === "string") return compiled;
    return compiled.evaluate({ claims }, limit).said;
  };
  const rows: Record<string, [string, unknown]> = {
    "a text": ["'x:' + claims.name", { value: "x:pip" }],
    "a list of texts": ["claims.groups.map(g, g + '!')", { value: ["a!", "b!"] }],
    "a list of lists": ["claims.deep.list", { value: [["x"]] }],
    nothing: ["claims.none", { value: null }],
    "a truth value": ["claims.age == 7.0", { value: true }],
    "a number, which is a double": ["claims.age + 0.5", { value: 7.5 }],
    "what is no data": ["type(claims)", { error: "type is no data" }],
    "a list with what is no data": [
      "[dyn(claims.name), dyn(claims)]",
      { error: "map(dyn, dyn) is no data" },
    ],
    "what is not there": ["claims.nobody", { error: "no such key: nobody" }],
  };
  for (const [name, [text, result]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(said(text), result));
  }

  it("may cost no more than it is given", () => {
    assert.match(JSON.stringify(said("claims.groups.map(g, g + g)", 1)), /cost limit exceeded/);
  });

  it("tells why it can't be compiled", () => {
    assert.match(String(said("claims.")), /^compilation failed: /);
  });
});
