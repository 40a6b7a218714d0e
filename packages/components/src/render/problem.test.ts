import assert from "node:assert/strict";
import { test } from "node:test";
import { providerComponents } from "../../test/render/components.ts";
import { find, managerOf, problemsOf, render } from "../../test/render/render.ts";
import type { Workload } from "./component-shapes.ts";
import type { RenderInput } from "./render.ts";

const secondDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: other, namespace: capi-system}
spec: {template: {spec: {containers: [{name: manager, image: a.example/b:c}]}}}
`;

const renamed = (name: string, only = false) =>
  providerComponents().map((component) => {
    if (component.kind !== "Deployment") return component;
    const { spec } = component as Workload;
    const [manager, ...others] = spec.template.spec.containers ?? [];
    const containers = [{ ...manager, name }, ...(only ? [] : others)];
    const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
    return { ...component, spec: { ...spec, template } };
  });

const refusals: Record<string, readonly [Partial<RenderInput>, string, RegExp]> = {
  "an object in another namespace": [
    {
      components: providerComponents(
        "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: kube-system}}",
      ),
    },
    "OutsideNamespace",
    /Secret kube-system\/s reaches outside of its namespace capi-system: it is in kube-system/,
  ],
  "a subject in another namespace": [
    {
      components: providerComponents(
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: b}, subjects: [{kind: ServiceAccount, name: default, namespace: kube-system}]}",
      ),
    },
    "OutsideNamespace",
    /subjects\[0\] is in kube-system/,
  ],
  "a webhook in another namespace": [
    {
      components: providerComponents(
        "{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: w}, webhooks: [{clientConfig: {service: {name: s, namespace: default}}}]}",
      ),
    },
    "OutsideNamespace",
    /webhooks\[0\].clientConfig.service is in default/,
  ],
  "an authority of another namespace": [
    {
      components: providerComponents(
        "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c, annotations: {cert-manager.io/inject-ca-from: default/x}}, spec: {}}",
      ),
    },
    "OutsideNamespace",
    /annotation cert-manager.io\/inject-ca-from is in default/,
  ],
  "an annotation that names nothing": [
    {
      components: providerComponents(
        "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c, annotations: {cert-manager.io/inject-ca-from-secret: x}}, spec: {}}",
      ),
    },
    "InvalidObject",
    /has no namespace\/name in its annotation/,
  ],
  "two Namespaces": [
    {
      components: providerComponents("{apiVersion: v1, kind: Namespace, metadata: {name: second}}"),
    },
    "SeveralNamespaces",
    /several namespaces \(capi-system, second\)/,
  ],
  "a kind that nobody serves": [
    { components: providerComponents("{apiVersion: v1, kind: Pod, metadata: {name: p}}") },
    "UnsupportedKind",
    /Pod p \(v1\) is of a kind that nobody serves: install the provider or the Custom/,
  ],
  "a provider": [
    {
      components: providerComponents(
        "{apiVersion: management.cluster.x-k8s.io/v1alpha1, kind: AddonProvider, metadata: {name: p}}",
      ),
      served: [
        {
          group: "management.cluster.x-k8s.io",
          kind: "AddonProvider",
          plural: "addonproviders",
          namespaced: true,
        },
      ],
    },
    "UnsupportedKind",
    /AddonProvider p .* declares a provider: components may not hold one/,
  ],
  "an object of a kind of others in another namespace": [
    {
      components: providerComponents(
        "{apiVersion: batch.example/v1, kind: Queue, metadata: {name: q, namespace: default}}",
      ),
      served: [{ group: "batch.example", kind: "Queue", plural: "queues", namespaced: true }],
    },
    "OutsideNamespace",
    /Queue default\/q reaches outside of its namespace capi-system/,
  ],
  "a known kind of another group": [
    {
      components: providerComponents(
        "{apiVersion: example.org/v1, kind: Deployment, metadata: {name: p}}",
      ),
    },
    "UnsupportedKind",
    /example.org\/v1/,
  ],
  "an object that is there twice": [
    {
      components: providerComponents(
        "{apiVersion: v1, kind: Service, metadata: {name: webhook-service, namespace: capi-system}}",
      ),
    },
    "DuplicateObject",
    /Service capi-system\/webhook-service is there twice/,
  ],
  "a container that two Deployments have": [
    {
      components: providerComponents(secondDeployment),
      spec: { deployment: { containers: [{ name: "manager", image: "a.example/b:c" }] } },
    },
    "AmbiguousContainer",
    /write controller-manager\/manager or other\/manager as its name/,
  ],
  "manager settings for two managers": [
    { components: providerComponents(secondDeployment), spec: { manager: { verbosity: 3 } } },
    "AmbiguousContainer",
    /could be a container of several Deployments/,
  ],
  "a container that is not there": [
    { spec: { deployment: { containers: [{ name: "sidecar" }] } } },
    "ContainerNotFound",
    /have controller-manager\/manager, controller-manager\/proxy/,
  ],
  "settings without a Deployment": [
    {
      components: providerComponents().filter(({ kind }) => kind !== "Deployment"),
      spec: { deployment: { replicas: 1 } },
    },
    "DeploymentNotFound",
    /no Deployment, to which manager and deployment settings belong/,
  ],
  "manager settings for a Deployment of several containers, none of which is named manager": [
    { components: renamed("controller"), spec: { manager: { verbosity: 3 } } },
    "AmbiguousContainer",
    /manager could be several containers of Deployment controller-manager \(controller, proxy\)/,
  ],
  "a flag that the manager does not know": [
    {
      spec: {
        deployment: { containers: [{ name: "manager", args: { "max-concurrent-reconciles": 1 } }] },
      },
    },
    "UnknownFlag",
    /args.max-concurrent-reconciles is no flag of cluster-api v1.13.6/,
  ],
  "an argument that is no flag's name": [
    { spec: { deployment: { containers: [{ name: "proxy", args: { "a=b": 1 } }] } } },
    "InvalidValue",
    /write it without dashes and without a value/,
  ],
  "a duration that is none": [
    { spec: { manager: { syncPeriod: "soon" } } },
    "InvalidValue",
    /manager.syncPeriod is "soon"/,
  ],
  "an image that is none": [
    { spec: { deployment: { containers: [{ name: "manager", image: "Not An Image" }] } } },
    "InvalidImage",
    /deployment.containers\[manager\].image: could not read the image "Not An Image"/,
  ],
  "a container that the spec has twice": [
    {
      spec: {
        deployment: { containers: [{ name: "manager" }, { name: "controller-manager/manager" }] },
      },
    },
    "InvalidValue",
    /is there twice/,
  ],
};
for (const [sentence, [input, reason, message]] of Object.entries(refusals)) {
  test(`${sentence} is refused as ${reason}`, () => {
    const problems = problemsOf(input);
    assert.deepEqual(
      problems.map((problem) => problem.reason),
      [reason],
    );
    assert.match(problems[0]?.message ?? "", message);
  });
}

test("components without any namespace need one", () => {
  const components = providerComponents().filter(({ kind }) => kind === "ClusterRole");
  assert.deepEqual(
    problemsOf({ components }).map(({ reason }) => reason),
    ["NoNamespace"],
  );
});

test("everything that is wrong is told at once", () => {
  const problems = problemsOf({
    components: providerComponents("{apiVersion: v1, kind: Pod, metadata: {name: p}}"),
    spec: {
      manager: { syncPeriod: "soon" },
      deployment: { containers: [{ name: "x" }, { name: "manager", args: { nonsense: 1 } }] },
    },
  });
  const reasons = problems.map(({ reason }) => reason).sort();
  assert.deepEqual(reasons, [
    "ContainerNotFound",
    "InvalidValue",
    "UnknownFlag",
    "UnsupportedKind",
  ]);
});

test("two Deployments with a manager are told apart by the Deployment's name", () => {
  const rendering = render({
    components: providerComponents(secondDeployment),
    spec: {
      manager: { verbosity: 3 },
      deployment: { replicas: 2, containers: [{ name: "controller-manager/manager" }] },
    },
  });
  const deployments = rendering.components.filter(
    ({ kind }) => kind === "Deployment",
  ) as Workload[];
  assert.deepEqual(
    deployments.map(({ spec }) => spec.replicas),
    [2, undefined],
  );
  assert.ok(managerOf(rendering).args?.includes("--v=3"));
});

test("two Deployments with a manager are no problem where nothing is asked of them", () => {
  assert.deepEqual(problemsOf({ components: providerComponents(secondDeployment) }), []);
});

test("the fields of the only Deployment need no container named manager", () => {
  const rendering = render({
    components: renamed("controller"),
    spec: { deployment: { replicas: 3, nodeSelector: { disk: "fast" } } },
  });
  const { spec } = find(rendering, "Deployment") as Workload;
  assert.equal(spec.replicas, 3);
  assert.deepEqual(spec.template.spec.nodeSelector, { disk: "fast" });
});

test("the only container of the only Deployment is the manager", () => {
  const components = renamed("controller", true);
  const spec = { manager: { verbosity: 3 } };
  assert.ok(managerOf(render({ components, spec })).args?.includes("--v=3"));
});

test("the default container for kubectl is the manager where no container has its name", () => {
  const components = renamed("controller").map((component) =>
    component.kind === "Deployment" ? withDefaultContainer(component as Workload) : component,
  );
  const spec = { manager: { verbosity: 3 } };
  assert.ok(managerOf(render({ components, spec })).args?.includes("--v=3"));
});

function withDefaultContainer(deployment: Workload): Workload {
  const annotations = { "kubectl.kubernetes.io/default-container": "controller" };
  const template = { ...deployment.spec.template, metadata: { annotations } };
  return { ...deployment, spec: { ...deployment.spec, template } };
}
