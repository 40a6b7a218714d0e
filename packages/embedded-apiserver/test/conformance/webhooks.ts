import type { Exchange, Scenario } from "@rookery/testing";
import { accessConditions as asked } from "./access-conditions.ts";
import type { Hook } from "./hook.ts";
import { mergePatch } from "./subject.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const maps = "/api/v1/namespaces/{ns}/configmaps";
const somebody = "{ns}-somebody";

/** A condition for an object of one name alone. */
const named = (expression: string, name: string) => ({
  name: "asked",
  expression: `object.metadata.name == '${name}' && (${expression})`,
});

/** Where is asked until a configuration counts: what is asked too early leaves nothing behind. */
const probed = `${maps}?dryRun=All`;

interface Webhook {
  readonly path: string;
  readonly [field: string]: unknown;
}

/** What webhooks do to writes. Each behaviour has a scenario, since a configuration takes a moment. */
export function webhooks(hook: Hook): readonly Scenario[] {
  const scenario = (
    name: string,
    kind: "Mutating" | "Validating",
    asked: readonly Webhook[],
    exchanges: readonly Exchange[] = [],
  ): Scenario => ({
    name: `webhooks: ${name}`,
    exchanges: [
      ...configured(kind, asked, hook),
      ...(exchanges.length > 0
        ? exchanges
        : [
            write("a creation", "a"),
            write("a dry run", "dry", "?dryRun=All"),
            {
              what: "a change",
              method: "PATCH",
              path: `${maps}/probe`,
              contentType: mergePatch,
              body: { data: { more: "x" } },
            },
          ]),
      {
        what: "removing the configuration",
        method: "DELETE",
        path: `${group}/${kind.toLowerCase()}webhookconfigurations/{ns}`,
        silent: true,
      },
    ],
  });
  return [
    scenario("one that denies", "Validating", [{ path: "/deny" }]),
    scenario("one that denies and says why", "Validating", [{ path: "/deny-why" }]),
    scenario("one that warns", "Validating", [{ path: "/warn" }]),
    scenario("one that changes", "Mutating", [{ path: "/label" }]),
    scenario("one that is asked again", "Mutating", [
      { path: "/count", reinvocationPolicy: "IfNeeded" },
      { path: "/label" },
    ]),
    scenario("one whose change can't be made", "Mutating", [{ path: "/bad-patch" }]),
    scenario("one whose change breaks the object", "Mutating", [{ path: "/break" }]),
    scenario("one that renames", "Mutating", [{ path: "/rename" }]),
    scenario("one that says nothing of its patch", "Mutating", [{ path: "/no-patch-type" }]),
    scenario("one that is broken", "Validating", [{ path: "/broken" }]),
    scenario("one that is broken and does not matter", "Validating", [
      { path: "/broken", failurePolicy: "Ignore" },
      { path: "/warn" },
    ]),
    scenario("one that talks nonsense", "Validating", [{ path: "/nonsense" }]),
    scenario("one that is not there", "Validating", [{ path: "/nowhere" }]),
    scenario("one with side effects", "Validating", [
      { path: "/deny", sideEffects: "NoneOnDryRun" },
    ]),
    scenario(
      "one for some objects",
      "Validating",
      [{ path: "/deny", objectSelector: { matchLabels: { judge: "me" } } }],
      [
        refused(map("judged", { labels: { judge: "me" } })),
        { what: "probing", path: maps, body: map("judged", { labels: { judge: "me" } }) },
        write("an object that is not meant", "free"),
        {
          what: "one that is to be meant",
          method: "PATCH",
          path: `${maps}/free`,
          contentType: mergePatch,
          body: { metadata: { labels: { judge: "me" } } },
        },
      ],
    ),
    scenario(
      "one with conditions",
      "Validating",
      [
        {
          path: "/deny",
          matchConditions: [
            { name: "named", expression: "object.metadata.name.startsWith('bad')" },
          ],
        },
      ],
      [
        refused(map("bad-one")),
        { what: "probing", path: maps, body: map("bad-one") },
        write("one that does not match", "good-one"),
      ],
    ),
    scenario(
      "some that ask who may do what",
      "Validating",
      [
        { path: "/deny", matchConditions: [named("true", "probe")] },
        ...asked.map((expression, index) => ({
          path: "/deny",
          matchConditions: [named(expression, `case-${index}`)],
        })),
      ],
      [
        {
          what: "letting somebody write",
          silent: true,
          path: "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings",
          body: {
            metadata: { name: "somebody" },
            roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
            subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: somebody }],
          },
        },
        {
          what: "waiting until somebody may",
          path: maps,
          as: somebody,
          silent: true,
          until: ({ status }) => status === 200,
        },
        refused(map("probe")),
        ...asked.flatMap((expression, index) => [
          { what: expression, path: probed, body: map(`case-${index}`) },
          {
            what: `${expression}, by somebody`,
            path: probed,
            body: map(`case-${index}`),
            as: somebody,
          },
        ]),
      ],
    ),
    scenario(
      "one for deletions",
      "Validating",
      [{ path: "/deny", operations: ["DELETE"] }],
      [
        write("making one", "kept"),
        {
          what: "waiting until its deletion is refused",
          method: "DELETE",
          path: `${maps}/kept?dryRun=All`,
          until: ({ status }) => status !== 200,
          silent: true,
        },
        { what: "deleting it", method: "DELETE", path: `${maps}/kept` },
        { what: "deleting all", method: "DELETE", path: `${maps}?labelSelector=scenario` },
      ],
    ),
    {
      name: "webhooks: configurations that are wrong",
      exchanges: Object.entries(wrong(hook)).map(([what, body]) => ({
        what,
        path: `${group}/validatingwebhookconfigurations`,
        body,
      })),
    },
  ];
}

function configured(kind: string, asked: readonly Webhook[], hook: Hook): Exchange[] {
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: "{ns}" },
    webhooks: asked.map((webhook, index) => webhookOf(`hook${index}`, webhook, hook)),
  };
  const path = `${group}/${kind.toLowerCase()}webhookconfigurations`;
  const probe: Exchange = {
    what: "waiting until it is asked",
    path: probed,
    body: map("probe", { labels: { scenario: "probe" } }),
    until: ({ status, warnings, body }) =>
      status !== 201 || warnings !== undefined || /labelled|count|other/.test(JSON.stringify(body)),
    silent: true,
  };
  const exempt = asked.some(({ objectSelector, matchConditions, operations, sideEffects }) =>
    Boolean(objectSelector ?? matchConditions ?? operations ?? sideEffects),
  );
  const before: Exchange = {
    what: "making what is changed later",
    path: maps,
    body: map("probe"),
    silent: true,
  };
  const settle = refused(map("settled"));
  const waits = asked.some(({ sideEffects }) => sideEffects) ? [settle] : exempt ? [] : [probe];
  return [
    before,
    { what: "making the configuration", path, body: configuration, silent: true },
    ...waits,
  ];
}

function refused(body: object): Exchange {
  return {
    what: "waiting until a dry run is refused",
    path: probed,
    body,
    until: ({ status }) => status !== 201,
    silent: true,
  };
}

function webhookOf(
  name: string,
  { path, operations = ["CREATE", "UPDATE"], ...more }: Webhook,
  hook: Hook,
) {
  return {
    name: `${name}.conformance.rookery.dev`,
    clientConfig: { url: hook.url + path, caBundle: hook.ca },
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    timeoutSeconds: 30,
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations }],
    ...more,
  };
}

function write(what: string, name: string, query = ""): Exchange {
  return { what, path: `${maps}${query}`, body: map(name, { labels: { scenario: "x" } }) };
}

function map(name: string, metadata: Record<string, unknown> = {}) {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...metadata },
    data: { one: "1" },
  };
}

function wrong(hook: Hook): Record<string, object> {
  const configuration = (webhook: object) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "{ns}-wrong" },
    webhooks: [{ ...webhookOf("hook", { path: "/allow" }, hook), ...webhook }],
  });
  return {
    "a name without a domain": configuration({ name: "hook" }),
    "an address without TLS": configuration({ clientConfig: { url: "http://127.0.0.1" } }),
    "two addresses": configuration({
      clientConfig: { url: hook.url, service: { namespace: "a", name: "b" } },
    }),
    "no address": configuration({ clientConfig: {} }),
    "no side effects told": configuration({ sideEffects: undefined }),
    "side effects that are some": configuration({ sideEffects: "Some" }),
    "no versions": configuration({ admissionReviewVersions: [] }),
    "versions that nobody knows": configuration({ admissionReviewVersions: ["v9"] }),
    "a long wait": configuration({ timeoutSeconds: 31 }),
    "an operation that is none": configuration({
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["READ"] }],
    }),
    "a wildcard beside others": configuration({
      rules: [
        { apiGroups: ["*", "apps"], apiVersions: ["v1"], resources: ["pods"], operations: ["*"] },
      ],
    }),
    "a condition that can't be read": configuration({
      matchConditions: [{ name: "x", expression: "object +" }],
    }),
    "a condition of another type": configuration({
      matchConditions: [{ name: "x", expression: "1" }],
    }),
    "a condition without a name": configuration({
      matchConditions: [{ name: "", expression: "true" }],
    }),
    "a selector that is none": configuration({
      objectSelector: { matchExpressions: [{ key: "a", operator: "Near" }] },
    }),
    "a policy that is none": configuration({ failurePolicy: "Maybe" }),
  };
}
