import assert from "node:assert/strict";
import { test } from "node:test";
import { providerComponents } from "../../test/render/components.ts";
import { argsOf, find, managerOf, render } from "../../test/render/render.ts";
import type { Workload } from "./component-shapes.ts";
import type { RenderInput } from "./render.ts";

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
        leaderElection: { leaseDuration: "90s", renewDeadline: "10s", retryPeriod: "1500ms" },
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
  const tolerations = [{ key: "k", operator: "Exists" as const }];
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

test("of a provider that is not known, the usual flags of fields are tried, with a warning", () => {
  const provider = { kind: "InfrastructureProvider", name: "nobody" } as const;
  const spec = {
    manager: { metricsAddress: ":1", syncPeriod: 1, maxConcurrentReconciles: 3 },
    deployment: { containers: [{ name: "manager", args: { "own-flag": "x" } }] },
  };
  const rendering = render({ provider, spec });
  const args = managerOf(rendering).args ?? [];
  assert.ok(args.includes("--diagnostics-address=:1") && args.includes("--own-flag=x"));
  assert.ok(args.includes("--cluster-concurrency=3"));
  assert.ok(args.includes("--sync-period=1s"));
  assert.deepEqual(
    rendering.warnings.map(({ reason, field }) => [reason, field]),
    [["AssumedFlag", "manager.syncPeriod"]],
  );
  assert.match(
    rendering.warnings[0]?.message ?? "",
    /^manager\.syncPeriod is set by --sync-period, of which nobody knows whether infrastructure-nobody v1\.13\.6 has it/,
  );
});

const ofNobody = (
  args: readonly string[],
  manager: NonNullable<RenderInput["spec"]>["manager"],
) => {
  const components = providerComponents().map((component) => {
    if (component.kind !== "Deployment") return component;
    const { spec } = component as Workload;
    const [first, ...others] = spec.template.spec.containers ?? [];
    const containers = [{ ...first, args }, ...others];
    const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
    return { ...component, spec: { ...spec, template } };
  });
  const provider = { kind: "InfrastructureProvider", name: "nobody" } as const;
  return argsOf({ provider, components, spec: { ...(manager && { manager }) } });
};

const tried: Readonly<Record<string, Parameters<typeof ofNobody>>> = {
  "--metrics-bind-address=:1": [[], { metrics: { bindAddress: ":1" } }],
  "--health-probe-bind-address=:2": [[], { health: { healthProbeBindAddress: ":2" } }],
  "--health-addr=:2": [
    ["--diagnostics-address=:8443"],
    { health: { healthProbeBindAddress: ":2" } },
  ],
  "--leader-elect=false": [[], { leaderElection: { leaderElect: false } }],
  "--feature-gates=A=true": [[], { featureGates: { A: true } }],
  "--max-concurrent-reconciles=7": [[], { maxConcurrentReconciles: 7 }],
  "--v=3": [[], { verbosity: 3 }],
};
for (const [arg, [args, manager]] of Object.entries(tried)) {
  const beside = args.length > 0 ? ` beside ${args.join(" ")}` : "";
  test(`a manager that is not known is tried with ${arg}${beside}`, () => {
    assert.ok(ofNobody(args, manager).includes(arg));
  });
}

test("the pods of all components can pull their images, with the Secrets that they name and those of the spec", () => {
  const job =
    "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec: {imagePullSecrets: [{name: own}], containers: [{name: c, image: a.example/b:c}]}}}}";
  const rendering = render({
    components: providerComponents(job),
    spec: { deployment: { imagePullSecrets: [{ name: "own" }, { name: "registry" }] } },
  });
  const secretsOf = (kind: string) =>
    Object(find(rendering, kind).spec).template.spec.imagePullSecrets;
  assert.deepEqual(secretsOf("Deployment"), [{ name: "own" }, { name: "registry" }]);
  assert.deepEqual(secretsOf("Job"), [{ name: "own" }, { name: "registry" }]);
});

test("another service account of the manager gets the rights of its own", () => {
  const components = providerComponents().map((component) => {
    if (component.kind !== "Deployment") return component;
    const { spec } = component as Workload;
    const template = {
      ...spec.template,
      spec: { ...spec.template.spec, serviceAccountName: "manager" },
    };
    return { ...component, spec: { ...spec, template } };
  });
  const spec = { deployment: { serviceAccountName: "workload-identity" } };
  const rendering = render({ components, namespace: "elsewhere", spec });
  const pods = Object(find(rendering, "Deployment").spec).template.spec;
  assert.equal(pods.serviceAccountName, "workload-identity");
  for (const kind of ["ClusterRoleBinding", "RoleBinding"]) {
    const { subjects } = find(rendering, kind) as { subjects?: readonly { name: string }[] };
    const accounts = subjects?.filter(({ name }) => name !== "admins");
    assert.deepEqual(accounts, [
      { kind: "ServiceAccount", name: "manager", namespace: "elsewhere" },
      { kind: "ServiceAccount", name: "workload-identity", namespace: "elsewhere" },
    ]);
  }
});
