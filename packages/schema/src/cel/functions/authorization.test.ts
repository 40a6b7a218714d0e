import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileExpression, type Expression } from "../expression.ts";
import { type AccessQuestion, CelAuthorizer, CelResourceCheck } from "./authorization.ts";

const variables = {
  authorizer: "authorizer",
  "authorizer.requestResource": "resourceCheck",
} as const;

/** What an expression says, what it asked for, and what it costed. */
function ask(text: string, limit = 1_000_000) {
  const questions: AccessQuestion[] = [];
  const authorizer = new CelAuthorizer((question) => {
    questions.push(question);
    const allowed = question.verb === "get";
    return { allowed, reason: allowed ? "so it is" : "", ...(!allowed && { error: "no idea" }) };
  });
  const own = { group: "apps", resource: "deployments", namespace: "ns", name: "web" };
  const expression = compileExpression(text, variables);
  assert.equal(typeof expression, "object", String(expression));
  const values = {
    authorizer,
    "authorizer.requestResource": new CelResourceCheck(authorizer, own),
  };
  return { ...(expression as Expression).evaluate(values, limit), questions };
}

const nowhere = { subresource: "", namespace: "", name: "", fieldSelector: "", labelSelector: "" };

describe("an authorizer in an expression", () => {
  const rows: Record<string, [string, AccessQuestion["target"]]> = {
    "a path": ["authorizer.path('/x')", { path: "/x" }],
    "a resource": [
      "authorizer.group('').resource('pods')",
      { ...nowhere, group: "", resource: "pods" },
    ],
    "all that narrows it down": [
      "authorizer.group('a').resource('b').subresource('c').namespace('d').name('e').fieldSelector('f=g').labelSelector('h')",
      {
        group: "a",
        resource: "b",
        subresource: "c",
        namespace: "d",
        name: "e",
        fieldSelector: "f=g",
        labelSelector: "h",
      },
    ],
    "the resource of the request": [
      "authorizer.requestResource.subresource('scale')",
      {
        ...nowhere,
        group: "apps",
        resource: "deployments",
        namespace: "ns",
        name: "web",
        subresource: "scale",
      },
    ],
  };
  for (const [name, [text, target]] of Object.entries(rows)) {
    it(`is asked for ${name}`, () => {
      const { result, questions } = ask(`${text}.check('get').allowed()`);
      assert.equal(result, true);
      assert.deepEqual(questions, [{ verb: "get", target, serviceAccount: undefined }]);
    });
  }

  it("can be asked for a service account", () => {
    const { questions } = ask(
      "authorizer.serviceAccount('a', 'b').path('/x').check('get').allowed()",
    );
    assert.deepEqual(questions[0]?.serviceAccount, { namespace: "a", name: "b" });
  });

  it("tells the reason, and the error where it could not decide", () => {
    assert.equal(ask("authorizer.path('/x').check('get').reason() == 'so it is'").result, true);
    const error = "authorizer.path('/x').check('put')";
    assert.equal(ask(`${error}.errored() && ${error}.error() == 'no idea'`).result, true);
  });

  for (const [text, why] of Object.entries({
    "authorizer.path(' ')": "path must not be empty",
    "authorizer.group('').resource('').name('x')": "resource must not be empty",
    "authorizer.serviceAccount('a', 'B').path('/')": "Invalid service account name",
    "authorizer.serviceAccount('a.b', 'c').path('/')": "Invalid service account namespace",
  })) {
    it(`is not asked for ${text}`, () => {
      const { result, questions } = ask(`${text}.check('get').allowed()`);
      assert.deepEqual([result, questions], [why, []]);
    });
  }

  it("can be asked twice for what an expression may cost, and not three times", () => {
    const once = "authorizer.path('/x').check('put').allowed()";
    assert.equal(ask(`${once} || ${once}`).result, false);
    assert.match(String(ask(`${once} || ${once} || ${once}`).result), /cost limit exceeded/);
  });
});
