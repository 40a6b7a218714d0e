import assert from "node:assert/strict";
import { test } from "node:test";
import type { Component } from "../documents/documents.ts";
import { RenderError } from "../errors.ts";
import type { ProviderIdentity } from "../providers/provider.ts";
import type { Container, Workload } from "./component-shapes.ts";
import { providerComponents } from "./components-fixture.ts";
import { installStages } from "./install-order.ts";
import type { Problem } from "./problem.ts";
import { type RenderInput, type Rendering, renderComponents } from "./render.ts";

const core: ProviderIdentity = { kind: "CoreProvider", name: "cluster-api" };

function render(input: Partial<RenderInput> = {}): Rendering {
  const components = providerComponents();
  return renderComponents({ provider: core, version: "v1.13.6", components, ...input });
}

function problemsOf(input: Partial<RenderInput>): readonly Problem[] {
  try {
    render(input);
  } catch (error) {
    if (error instanceof RenderError) return error.problems;
    throw error;
  }
  return [];
}

function find(rendering: Rendering, kind: string): Component {
  const found = rendering.components.find((component) => component.kind === kind);
  assert.ok(found, `there is no ${kind}`);
  return found;
}

function managerOf(rendering: Rendering): Container {
  const deployment = find(rendering, "Deployment") as Workload;
  const [manager] = deployment.spec.template.spec.containers ?? [];
  return manager ?? {};
}

const argsOf = (input: Partial<RenderInput>) => managerOf(render(input)).args ?? [];

test("everything goes into the namespace that is asked for, with all that refers to it", () => {
  const rendering = render({ namespace: "elsewhere" });
  assert.equal(rendering.namespace, "elsewhere");
  assert.doesNotMatch(JSON.stringify(rendering.components), /capi-system/);
  assert.equal(find(rendering, "Namespace").metadata.name, "elsewhere");
  assert.equal(find(rendering, "Nest").metadata.namespace, "elsewhere");
  assert.equal(find(rendering, "ClusterRoleBinding").metadata.namespace, undefined);
  assert.deepEqual(Object(find(rendering, "Certificate").spec).dnsNames, [
    "webhook-service.elsewhere.svc",
    "webhook-service.elsewhere.svc.cluster.local",
  ]);
  assert.deepEqual(find(rendering, "ClusterRoleBinding").subjects, [
    { kind: "ServiceAccount", name: "manager", namespace: "elsewhere" },
    { kind: "Group", name: "admins" },
  ]);
});

test("without a namespace components stay where they are written for", () => {
  assert.equal(render().namespace, "capi-system");
});

test("a Namespace is added where the components have none", () => {
  const components = providerComponents().filter(({ kind }) => kind !== "Namespace");
  const rendering = render({ components, namespace: "elsewhere" });
  assert.equal(rendering.components[0]?.metadata.name, "elsewhere");
  assert.equal(rendering.components[0]?.kind, "Namespace");
});

test("every component has clusterctl's labels beside its own", () => {
  const rendering = render({ provider: { kind: "BootstrapProvider", name: "kubeadm" } });
  for (const { metadata } of rendering.components) {
    assert.equal(metadata.labels?.["clusterctl.cluster.x-k8s.io"], "");
    assert.equal(metadata.labels?.["cluster.x-k8s.io/provider"], "bootstrap-kubeadm");
  }
  assert.equal(find(rendering, "Deployment").metadata.labels?.app, "nests");
});

test("components are in the order to apply them: webhooks last", () => {
  const order = installStages(render().components).map(({ stage, components }) => [
    stage,
    components.map(({ kind }) => kind),
  ]);
  assert.deepEqual(order, [
    ["namespace", ["Namespace"]],
    ["crds", ["CustomResourceDefinition"]],
    ["rbac", ["ClusterRoleBinding", "RoleBinding"]],
    ["configuration", ["Service", "Certificate", "Issuer"]],
    ["workloads", ["Deployment"]],
    ["instances", ["Nest"]],
    ["webhooks", ["ValidatingWebhookConfiguration"]],
  ]);
});

test("what is given is not written to", () => {
  const components = providerComponents();
  const before = JSON.stringify(components);
  render({ components, namespace: "x", spec: { deployment: { replicas: 3 } } });
  assert.equal(JSON.stringify(components), before);
});

test("the seed's first example: metricsAddress, a sync period in seconds, numbers as arguments", () => {
  const args = argsOf({
    provider: { kind: "InfrastructureProvider", name: "aws" },
    version: "v0.6.0",
    spec: {
      manager: { metricsAddress: ":8181", syncPeriod: 660 },
      deployment: {
        containers: [
          { name: "manager", args: { "awscluster-concurrency": 12, "awsmachine-concurrency": 11 } },
        ],
      },
    },
  });
  assert.ok(args.includes("--diagnostics-address=:8181"));
  assert.ok(args.includes("--sync-period=660s"));
  assert.ok(args.includes("--awscluster-concurrency=12"));
  assert.ok(args.includes("--awsmachine-concurrency=11"));
});

test("the seed's second example: an image as a plain string", () => {
  const image = "gcr.io/myregistry/capa-controller:v0.6.0-foo";
  const rendering = render({ spec: { deployment: { containers: [{ name: "manager", image }] } } });
  assert.equal(managerOf(rendering).image, image);
  assert.ok(rendering.images.includes(image));
});

test("the seed's third example: resources replace those of the components", () => {
  const resources = { limits: { cpu: "100m", memory: "30Mi" }, requests: { cpu: "100m" } };
  const containers = [{ name: "manager", resources }];
  assert.deepEqual(
    managerOf(render({ spec: { deployment: { containers } } })).resources,
    resources,
  );
  assert.deepEqual(managerOf(render()).resources, { limits: { cpu: 1 } });
});

const flagRules: Record<string, readonly [RenderInput["spec"], readonly string[]]> = {
  "a field of the manager replaces the flag of the components": [
    { manager: { metrics: { bindAddress: "0" }, leaderElection: { leaderElect: false } } },
    ["--diagnostics-address=0", "--leader-elect=false"],
  ],
  "metrics.bindAddress is over its alias": [
    { manager: { metrics: { bindAddress: ":1" }, metricsAddress: ":2" } },
    ["--diagnostics-address=:1"],
  ],
  "a field of the manager is over the container's args": [
    {
      manager: { syncPeriod: "5m" },
      deployment: { containers: [{ name: "manager", args: { "sync-period": "1h" } }] },
    },
    ["--sync-period=5m0s"],
  ],
  "the container's args are over those of the components": [
    { deployment: { containers: [{ name: "manager", args: { "diagnostics-address": ":9" } }] } },
    ["--diagnostics-address=:9"],
  ],
  "maxConcurrentReconciles sets every concurrency flag but those in args": [
    {
      manager: { maxConcurrentReconciles: 7 },
      deployment: { containers: [{ name: "manager", args: { "machine-concurrency": 3 } }] },
    },
    ["--machine-concurrency=3", "--cluster-concurrency=7", "--clustercache-concurrency=7"],
  ],
  "feature gates are merged over those of the components, and args are ignored": [
    {
      manager: { featureGates: { ClusterTopology: true, RuntimeSDK: true } },
      deployment: { containers: [{ name: "manager", args: { "feature-gates": "Other=true" } }] },
    },
    ["--feature-gates=MachinePool=true,ClusterTopology=true,RuntimeSDK=true"],
  ],
  "without gates of the manager the args replace those of the components": [
    { deployment: { containers: [{ name: "manager", args: { "feature-gates": "Other=true" } }] } },
    ["--feature-gates=Other=true"],
  ],
  "debug sets verbosity and profiler, whatever the fields say": [
    { manager: { debug: true, verbosity: 1, profilerAddress: ":1" } },
    ["--v=5", "--profiler-address=localhost:6060"],
  ],
  "booleans become text": [
    { deployment: { containers: [{ name: "manager", args: { "insecure-diagnostics": true } }] } },
    ["--insecure-diagnostics=true"],
  ],
  "durations are written as Go writes them": [
    {
      manager: {
        leaderElection: { leaseDuration: "90s", renewDeadline: 10, retryPeriod: "1500ms" },
      },
    },
    [
      "--leader-elect-lease-duration=1m30s",
      "--leader-elect-renew-deadline=10s",
      "--leader-elect-retry-period=1.5s",
    ],
  ],
};
for (const [sentence, [spec, expected]] of Object.entries(flagRules)) {
  test(sentence, () => {
    const args = argsOf({ ...(spec && { spec }) });
    for (const flag of expected) {
      const name = flag.slice(0, flag.indexOf("="));
      assert.deepEqual(
        args.filter((arg) => arg.split("=")[0] === name),
        [flag],
      );
    }
  });
}

test("a value in a word of its own is replaced with its flag", () => {
  const args = argsOf({ spec: { manager: { maxConcurrentReconciles: 7 } } });
  assert.ok(!args.includes("4") && args.includes("--cluster-concurrency=7"));
});

test("without maxConcurrentReconciles only what a manager does less than 10 of is set to 10", () => {
  assert.deepEqual(argsOf({}), managerOf({ ...render(), components: providerComponents() }).args);
  const aws = { kind: "InfrastructureProvider", name: "aws" } as const;
  const args = argsOf({ provider: aws, version: "v2.13.0" });
  assert.ok(args.includes("--awscluster-concurrency=10"));
  assert.ok(!args.some((arg) => arg.startsWith("--awsmachine-concurrency")));
});

test("ports and the mount of the certificate follow their flags", () => {
  const health = { healthProbeBindAddress: "127.0.0.1:9999" };
  const manager = managerOf(
    render({ spec: { manager: { health, webhook: { port: 9555, certDir: "/c" } } } }),
  );
  assert.deepEqual(manager.ports, [
    { name: "webhook-server", containerPort: 9555 },
    { name: "healthz", containerPort: 9999 },
  ]);
  assert.deepEqual(manager.volumeMounts, [{ name: "cert", mountPath: "/c" }]);
});

test("the Deployment takes replicas, node selector, tolerations and affinity", () => {
  const affinity = { nodeAffinity: {} };
  const tolerations = [{ key: "k", operator: "Exists" }];
  const settings = { replicas: 0, nodeSelector: { c: "d" }, tolerations, affinity };
  const { spec } = find(render({ spec: { deployment: settings } }), "Deployment") as Workload;
  assert.equal(spec.replicas, 0);
  const { nodeSelector, tolerations: set, affinity: rendered } = spec.template.spec;
  assert.deepEqual([nodeSelector, set, rendered], [{ c: "d" }, tolerations, affinity]);
});

test("environment variables are merged by name", () => {
  const env = [
    { name: "POD_NAMESPACE", value: "y" },
    { name: "MORE", value: "z" },
  ];
  const containers = [{ name: "manager", env }];
  assert.deepEqual(managerOf(render({ spec: { deployment: { containers } } })).env, env);
});

test("another container is customized by its own name, with any flag", () => {
  const containers = [{ name: "proxy", args: { "any-flag": 1 }, image: { tag: "v2" } }];
  const { spec } = find(render({ spec: { deployment: { containers } } }), "Deployment") as Workload;
  const proxy = spec.template.spec.containers?.[1];
  assert.deepEqual(proxy?.args, ["--secure-listen-address=:1", "--any-flag=1"]);
  assert.equal(proxy?.image, `registry.k8s.io/proxy:v2@sha256:${"a".repeat(64)}`);
});

test("clusterctl's image overrides are merged from all to the image's own", () => {
  const { images } = render({
    imageOverrides: {
      all: { repository: "mirror.example/all/", tag: "t1" },
      "cluster-api": { tag: "t2" },
      "cluster-api/cluster-api-controller": { name: "core" },
      "bootstrap-kubeadm": { tag: "other" },
    },
  });
  assert.deepEqual(images, [
    "mirror.example/all/core:t2",
    `mirror.example/all/proxy:t2@sha256:${"a".repeat(64)}`,
  ]);
});

const warningRules: Record<string, readonly [RenderInput["spec"], string, string]> = {
  "the argument namespace is ignored": [
    { deployment: { containers: [{ name: "manager", args: { namespace: "x" } }] } },
    "IgnoredField",
    "deployment.containers[manager].args.namespace",
  ],
  "the argument excluded-namespace is ignored": [
    { deployment: { containers: [{ name: "manager", args: { "excluded-namespace": "x" } }] } },
    "IgnoredField",
    "deployment.containers[manager].args.excluded-namespace",
  ],
  "cacheNamespace is ignored": [
    { manager: { cacheNamespace: "x" } },
    "IgnoredField",
    "manager.cacheNamespace",
  ],
  "an argument that a field is over is ignored": [
    {
      manager: { verbosity: 3 },
      deployment: { containers: [{ name: "manager", args: { v: 1 } }] },
    },
    "IgnoredField",
    "deployment.containers[manager].args.v",
  ],
  "a field for which the manager has no flag does nothing": [
    { manager: { gracefulShutDown: "10s" } },
    "FieldWithoutFlag",
    "manager.gracefulShutDown",
  ],
};
for (const [sentence, [spec, reason, field]] of Object.entries(warningRules)) {
  test(`${sentence}, with a warning`, () => {
    const { warnings, components } = render({ ...(spec && { spec }) });
    assert.deepEqual(
      warnings.map((warning) => [warning.reason, warning.field]),
      [[reason, field]],
    );
    assert.doesNotMatch(JSON.stringify(components), /excluded-namespace|--namespace|graceful/);
  });
}

test("of a provider that is not known, only flags that its components use are set", () => {
  const provider = { kind: "InfrastructureProvider", name: "nobody" } as const;
  const spec = {
    manager: { metricsAddress: ":1", syncPeriod: 1, maxConcurrentReconciles: 3 },
    deployment: { containers: [{ name: "manager", args: { "own-flag": "x" } }] },
  };
  const rendering = render({ provider, spec });
  const args = managerOf(rendering).args ?? [];
  assert.ok(args.includes("--diagnostics-address=:1") && args.includes("--own-flag=x"));
  assert.ok(args.includes("--cluster-concurrency=3"));
  assert.ok(!args.some((arg) => arg.startsWith("--sync-period")));
  assert.deepEqual(
    rendering.warnings.map(({ field }) => field),
    ["manager.syncPeriod"],
  );
});

const secondDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: other, namespace: capi-system}
spec: {template: {spec: {containers: [{name: manager, image: a.example/b:c}]}}}
`;

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
  "a kind that is not for components": [
    { components: providerComponents("{apiVersion: v1, kind: Pod, metadata: {name: p}}") },
    "UnsupportedKind",
    /Pod p \(v1\) is of a kind that components may not hold/,
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
    /no Deployment with a container named manager/,
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
