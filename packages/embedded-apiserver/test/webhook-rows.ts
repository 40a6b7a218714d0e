/** As much of a webhook as the rows change. */
type Webhook = Record<string, unknown>;

/** A webhook that nothing is wrong with. */
export function goodWebhook(): Webhook {
  return {
    name: "a.rookery.example.com",
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    clientConfig: { url: "https://127.0.0.1:1/x" },
    rules: [
      { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
    ],
  };
}

function rule(change: object): Webhook {
  const [good] = goodWebhook().rules as object[];
  return { rules: [{ ...good, ...change }] };
}

const conditions = (...matchConditions: { name?: string; expression?: string }[]): Webhook => ({
  matchConditions,
});

/** Each takes the place of fields of the good one. */
export const webhookRows: Readonly<Record<string, Webhook>> = {
  "nothing changed": {},
  "no name": { name: "" },
  "a bad name": { name: "A_b" },
  "a short name": { name: "a.b" },
  "a rule with nothing": { rules: [{}] },
  "all operations and one": rule({ operations: ["*", "CREATE"] }),
  "an operation that is none": rule({ operations: ["PAINT"] }),
  "all groups and one": rule({ apiGroups: ["*", "apps"] }),
  "all versions and none": rule({ apiVersions: ["*", ""] }),
  "all resources and one": rule({ resources: ["*", "pods"] }),
  "one resource and all": rule({ resources: ["pods", "*"] }),
  "all of all and one": rule({ resources: ["*/*", "pods/status"] }),
  "subresources that are there twice": rule({
    resources: ["pods/*", "pods/status", "*/scale", "a/scale", ""],
  }),
  "a scope that is none": rule({ scope: "Galaxy" }),
  "policies that are none": {
    failurePolicy: "Perhaps",
    matchPolicy: "Roughly",
    reinvocationPolicy: "Often",
  },
  "no side effects said": { sideEffects: null },
  "some side effects": { sideEffects: "Some" },
  "a timeout that is too long": { timeoutSeconds: 31 },
  "no timeout at all": { timeoutSeconds: 0 },
  "bad selectors": {
    namespaceSelector: { matchLabels: { "bad key": "x" } },
    objectSelector: { matchExpressions: [{ key: "a", operator: "In" }] },
  },
  "a webhook that is nowhere": { clientConfig: {} },
  "a webhook in two places": {
    clientConfig: { url: "https://x", service: { name: "a", namespace: "b" } },
  },
  "a webhook by http": { clientConfig: { url: "http://x" } },
  "a webhook by a Service": { clientConfig: { service: { name: "a", namespace: "b" } } },
  "a webhook by half a Service": {
    clientConfig: { service: { name: "", namespace: "b", port: -1, path: "/a/B" } },
  },
  "no versions": { admissionReviewVersions: [] },
  "unknown versions": { admissionReviewVersions: ["v9", "v9", "Bad"] },
  "conditions that are good": conditions({
    name: "a",
    expression: "request.operation == 'CREATE' && !('x' in object.metadata.labels)",
  }),
  "conditions with all that can be wrong": conditions(
    { name: "", expression: "" },
    { name: "bad name", expression: "object.x" },
    { name: "b", expression: "1 +" },
    { name: "b", expression: "request.nothing == 1" },
    { name: "c", expression: "'text'" },
    { name: "d", expression: "nobody.x" },
  ),
  "conditions that ask what a user may do": conditions(
    {
      name: "a",
      expression:
        "authorizer.group('apps').resource('deployments').subresource('scale').namespace('a').name('b').fieldSelector('a=b').labelSelector('c').check('update').allowed()",
    },
    { name: "b", expression: "authorizer.path('/metrics').check('get').reason() == 'x'" },
    {
      name: "c",
      expression:
        "authorizer.serviceAccount('a', 'b').group('').resource('pods').check('get').errored()",
    },
    { name: "d", expression: "authorizer.requestResource.name('x').check('bypass').error() == ''" },
    { name: "e", expression: "authorizer == authorizer" },
  ),
  "conditions that ask it wrongly": conditions(
    { name: "a", expression: "authorizer" },
    { name: "b", expression: "authorizer.allowed()" },
    { name: "c", expression: "authorizer.group(1).resource('x').check('get').allowed()" },
    { name: "d", expression: "authorizer.requestResource.path('/x')" },
    { name: "e", expression: "authorizer.nothing" },
    { name: "f", expression: "object.metadata.name.check('get')" },
    { name: "h", expression: "url('https://x').nothing" },
    { name: "i", expression: "quantity('1').nothing" },
    { name: "g", expression: "'x'.name('y')" },
  ),
  "conditions about the namespace": conditions(
    { name: "a", expression: "namespaceObject.metadata.labels['a'] == 'b'" },
    { name: "b", expression: "namespaceObject == null || namespaceObject.metadata.generation > 1" },
    {
      name: "c",
      expression:
        "namespaceObject.status.conditions.exists(c, c.lastTransitionTime < timestamp('2026-01-01T00:00:00Z'))",
    },
    { name: "d", expression: "namespaceObject.spec.nothing" },
    { name: "e", expression: "namespaceObject.metadata.generation == 'x'" },
    { name: "f", expression: "params.x == 1" },
    { name: "g", expression: "variables.x == 1" },
  ),
};
