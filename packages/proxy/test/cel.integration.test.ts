import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { protobufMediaType } from "@rookery/kube";
import { type Kubernetes, notOnEmbedded, startKubernetes, waitFor } from "@rookery/testing";
import { askDirectly, startScopedProxy } from "./scope-world.ts";
import { type RunningProxy, startProxy } from "./start-proxy.ts";
import { widgetCrd } from "./widgets.ts";

const app = "shop.cel.dev";
const real = "shop.cel.team1.example.com";
const mapping = "--api-group-suffix=cel.dev=cel.team1.example.com";
const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const needsPolicies = await notOnEmbedded("it has no ValidatingAdmissionPolicy");

/** The text goes where a rule of the whole object stands, and where one of a part does. */
function definition(rule: string, part: string) {
  const crd = structuredClone(widgetCrd(app)) as ReturnType<typeof widgetCrd> & {
    // biome-ignore lint/suspicious/noExplicitAny: a schema of any depth
    spec: { versions: { schema: any }[] };
  };
  for (const { schema } of crd.spec.versions) {
    const { openAPIV3Schema } = schema;
    openAPIV3Schema["x-kubernetes-validations"] = [{ rule, message: "no" }];
    openAPIV3Schema.properties.spec["x-kubernetes-validations"] = [{ rule: part, message: "no" }];
  }
  return crd;
}

const policy = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "cel-team1" },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [app], apiVersions: ["*"], resources: ["widgets"], operations: ["CREATE"] },
      ],
    },
    matchConditions: [{ name: "ours", expression: `request.resource.group == '${app}'` }],
    validations: [
      {
        expression: `object.apiVersion != "${app}/v1" || object.spec.size < 5`,
        message: "too large",
      },
    ],
  },
};
const binding = {
  apiVersion: policy.apiVersion,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "cel-team1" },
  spec: { policyName: "cel-team1", validationActions: ["Deny"] },
};
const widgetOf = (size: number) => ({
  apiVersion: `${app}/v1`,
  kind: "Widget",
  metadata: { name: `of-${size}` },
  spec: { size },
});

describe("CEL of an app behind a proxy that renames its group, before a real API server", () => {
  const stack = new AsyncDisposableStack();
  let kubernetes: Kubernetes;
  let proxy: RunningProxy;

  before(async () => {
    kubernetes = stack.use(await startKubernetes());
    const args = [`--upstream=${kubernetes.kubeconfig}`, mapping];
    proxy = stack.use(await startProxy(kubernetes.description.kubectl, args));
    for (const path of [
      `${policies}/cel-team1`,
      `${policies.replace("policies", "policybindings")}/cel-team1`,
      `${definitions}/widgets.${real}`,
    ]) {
      stack.defer(async () => void (await kubernetes.request("DELETE", path)));
    }
  });
  after(() => stack.disposeAsync());

  const apply = (...objects: readonly object[]) =>
    proxy.tryKubectl(["apply", "-f", "-"], {
      stdin: objects.map((one) => JSON.stringify(one)).join("\n---\n"),
    });

  test("a rule of a definition holds, and one that stays as it is warns kubectl", async () => {
    const rule = `self.apiVersion in ['${app}/v1', '${app}/v1beta1']`;
    const first = await apply(definition(rule, "self.size != 99"));
    assert.equal(first.failed, false, first.output);
    assert.doesNotMatch(first.output, /Warning/);
    const { body } = await kubernetes.request("GET", `${definitions}/widgets.${real}`);
    const [version] = body.spec.versions;
    assert.equal(
      version.schema.openAPIV3Schema["x-kubernetes-validations"][0].rule,
      rule.replaceAll(app, real),
    );
    // To the app nothing has changed.
    assert.match((await apply(definition(rule, "self.size != 99"))).output, /unchanged/);
    const second = await apply(definition(rule, `self.color != '${app}'`));
    assert.match(
      second.output,
      /Warning: could not rename shop\.cel\.dev in CEL of a CustomResourceDefinition: /,
    );
    await waitFor(async () => !(await apply(widgetOf(1))).failed, {
      what: "a widget to satisfy the rule",
    });
  });

  test("a policy holds for the app's group", { skip: needsPolicies }, async () => {
    const { failed, output } = await apply(policy, binding);
    assert.equal(failed, false, output);
    assert.doesNotMatch(output, /Warning/);
    const { body } = await kubernetes.request("GET", `${policies}/cel-team1`);
    assert.equal(body.spec.matchConditions[0].expression, `request.resource.group == '${real}'`);
    let denied = "";
    await waitFor(
      async () => {
        // By its group: other tests have widgets, too.
        await proxy.tryKubectl(["delete", `widgets.${app}`, "of-9", "--ignore-not-found"]);
        denied = (await apply(widgetOf(9))).output;
        return /too large/.test(denied);
      },
      { what: "the policy to deny", timeout: 60_000, detail: () => denied },
    );
    assert.match((await apply(widgetOf(3))).output, /created/);
  });

  test("in Protobuf it is the same as in JSON", { skip: needsPolicies }, async () => {
    await using renamed = await startScopedProxy(kubernetes, [mapping]);
    const options = { accept: protobufMediaType };
    for (const path of [`${policies}/cel-team1`, `${definitions}/widgets.`]) {
      const isPolicy = path.startsWith(policies);
      const direct = await askDirectly(kubernetes, isPolicy ? path : path + real, options);
      const asApp = await renamed.ask(isPolicy ? path : path + app, options);
      const swapped = (bytes: Buffer) => bytes.toString("latin1").split(real).length - 1;
      assert.ok(swapped(direct.bytes) > 2);
      // All that is left in the answer is CEL that is not renamed, and none of that names the real group.
      assert.equal(swapped(asApp.bytes), 0, path);
    }
  });
});
