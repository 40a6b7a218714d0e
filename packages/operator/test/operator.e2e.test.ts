import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { configMapOf } from "@rookery/components";
import { rookeryImage } from "@rookery/packaging";
import {
  busyboxImage,
  clusterApiManager,
  clusterApiProviders,
  clusterApiRelease,
  fittingComponents,
  type KubernetesNode,
  startNode,
  waitFor,
} from "@rookery/testing";

const deploy = join(import.meta.dirname, "../../../deploy/operator.yaml");
const namespace = "capi-system";
const core = "coreprovider.management.cluster.x-k8s.io/cluster-api";
const coreImage = "registry.k8s.io/cluster-api/cluster-api-controller";
const version = "v1.13.6";
/** The same release but for its image, whose program ends at once. */
const broken = "v1.13.7";
const minutes = (count: number) => count * 60_000;

interface Status {
  readonly installedVersion?: string;
  readonly conditions?: readonly {
    type: string;
    status: string;
    reason: string;
    message: string;
  }[];
}

describe("the operator in pods, installed by deploy/operator.yaml", () => {
  let node: KubernetesNode;

  before(async () => {
    node = await startNode();
    // What the manifests name, as containerd calls it.
    await node.importImage(await rookeryImage({ name: "docker.io/library/rookery:0.0.0" }));
    await node.importImage({
      name: `${coreImage}:${version}`,
      entries: [{ path: "manager", source: await clusterApiManager(), mode: 0o755 }],
      entrypoint: ["/manager"],
      user: "65532:65532",
    });
    const sleeping = busyboxImage();
    const entries = [
      ...sleeping.entries,
      { path: "manager", content: "#!/bin/sh\nexit 7\n", mode: 0o755 },
    ];
    await node.importImage({ ...sleeping, name: `${coreImage}:${broken}`, entries });
    await node.kubectl(["apply", "--filename", deploy]);
    await node.kubectl([
      ...["wait", "deployment/rookery-operator", "--namespace=rookery-system"],
      ...["--for=condition=Available", "--timeout=300s"],
    ]);
  });
  after(() => node?.[Symbol.asyncDispose]());

  const apply = (...manifests: readonly object[]) =>
    node.kubectl(["apply", "--server-side", "--filename=-"], {
      stdin: manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n"),
    });
  const get = async (...args: readonly string[]) => {
    const printed = await node.kubectl(["get", ...args, "--ignore-not-found", "--output=json"]);
    return printed === "" ? undefined : JSON.parse(printed);
  };
  const names = async (kinds: string, ...args: readonly string[]) => {
    const printed = await node.kubectl([
      "get",
      kinds,
      ...args,
      "--ignore-not-found",
      "--output=name",
    ]);
    return printed.trim().split("\n").filter(Boolean);
  };

  /** Waits until the status of the provider is as wanted, and returns it. */
  async function provider(what: string, isWanted: (status: Status) => boolean): Promise<Status> {
    let last: Status = {};
    await waitFor(
      async () => {
        last = (await get(core, `--namespace=${namespace}`))?.status ?? {};
        return isWanted(last);
      },
      { what: `the provider ${what}`, timeout: minutes(8), detail: () => JSON.stringify(last) },
    );
    return last;
  }
  const reasonOf = (status: Status, type: string) =>
    status.conditions?.find((condition) => condition.type === type)?.reason;
  const isReady = (status: Status) => reasonOf(status, "Ready") === "Ready";

  async function offer(name: string, deadline: number): Promise<void> {
    const [provider] = clusterApiProviders;
    const { components, metadata } = await clusterApiRelease(provider, version);
    const released = fittingComponents(node, components)
      .replaceAll(`${coreImage}:${version}`, `${coreImage}:${name}`)
      // The kubelet starts what crashes ever more rarely: a deadline comes sooner.
      .replace("\n  replicas: 1\n", `\n  replicas: 1\n  progressDeadlineSeconds: ${deadline}\n`);
    const meta = { name, namespace, labels: { provider: "cluster-api" } };
    await apply(configMapOf(meta, { components: released, metadata, version: name }));
  }

  const declare = (wanted: string) =>
    apply({
      apiVersion: "management.cluster.x-k8s.io/v1alpha1",
      kind: "CoreProvider",
      metadata: { name: "cluster-api", namespace },
      spec: {
        version: wanted,
        fetchConfig: { selector: { matchLabels: { provider: "cluster-api" } } },
      },
    });

  /** Makes a Cluster, which the core's webhooks let pass, and waits until its controller has done its part. */
  async function reconciled(name: string): Promise<void> {
    const metadata = { name, namespace: "default" };
    const infrastructure = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "NestCluster" };
    let last = "";
    const isTaken = () =>
      apply(
        {
          apiVersion: `${infrastructure.apiGroup}/v1beta2`,
          kind: infrastructure.kind,
          metadata,
          spec: { controlPlaneEndpoint: { host: "10.1.2.3", port: 6443 } },
          status: { initialization: { provisioned: true } },
        },
        {
          apiVersion: "cluster.x-k8s.io/v1beta2",
          kind: "Cluster",
          metadata,
          spec: { infrastructureRef: { ...infrastructure, name } },
        },
      ).then(
        () => true,
        (error: Error) => {
          last = error.message;
          return false;
        },
      );
    const what = `Cluster ${name} to be taken`;
    await waitFor(isTaken, { what, timeout: minutes(2), detail: () => last });
    const cluster = await waitFor(
      async () => {
        const found = await get(`cluster.cluster.x-k8s.io/${name}`);
        last = JSON.stringify(found?.status);
        return found?.status?.initialization?.infrastructureProvisioned && found;
      },
      {
        what: `Cluster ${name} to be provisioned`,
        timeout: minutes(3),
        detail: () => last,
      },
    );
    assert.deepEqual(cluster.spec.controlPlaneEndpoint, { host: "10.1.2.3", port: 6443 });
  }

  it("refuses at once what can never be", async () => {
    await node.kubectl(["create", "namespace", namespace]);
    await waitFor(
      () =>
        declare("v1.13").then(
          () => assert.fail("it was taken"),
          // Until the operator has told API servers of its authority, they cannot ask it.
          (error: Error) => /spec\.version/.test(error.message),
        ),
      { what: "the webhook to answer", timeout: minutes(2) },
    );
  });

  it("installs the real core of Cluster API, which then reconciles Clusters", async () => {
    await node.applyCrd(nestClusters);
    await offer(version, 600);
    await declare(version);
    const status = await provider("to be ready", isReady);
    assert.equal(status.installedVersion, version);
    await reconciled("first");
    const secret = await get("secret/capi-webhook-service-cert", `--namespace=${namespace}`);
    assert.equal(secret.type, "kubernetes.io/tls");
  });

  it("brings the last good version back where a new one does not start, and says why", async () => {
    await offer(broken, 15);
    await declare(broken);
    const status = await provider("to be rolled back", (one) => {
      return reasonOf(one, "ProviderUpgraded") === "RolledBack" && one.installedVersion === version;
    });
    const upgraded = status.conditions?.find(({ type }) => type === "ProviderUpgraded");
    assert.match(upgraded?.message ?? "", /container manager .* ended with code 7/);
    await waitFor(
      async () => {
        const name = "deployment/capi-controller-manager";
        const deployment = await get(name, `--namespace=${namespace}`);
        const [container] = deployment?.spec.template.spec.containers ?? [];
        return (
          container?.image === `${coreImage}:${version}` &&
          deployment.status.availableReplicas === 1
        );
      },
      { what: "the last good version to run", timeout: minutes(3) },
    );
    await reconciled("second");
  });

  it("goes on where another of its pods left off", async () => {
    await declare(version);
    await node.kubectl(["delete", "pods", "--all", "--namespace=rookery-system", "--wait=false"]);
    await provider("to be ready again", (one) => {
      return isReady(one) && reasonOf(one, "ProviderUpgraded") !== "RolledBack";
    });
  });

  it("deletes nothing that is in use, and then leaves nothing behind", async () => {
    await node.kubectl(["delete", core, `--namespace=${namespace}`, "--wait=false"]);
    const status = await provider("to say who uses it", (one) => {
      return reasonOf(one, "Deleting") === "InUse";
    });
    const message = status.conditions?.find(({ type }) => type === "Deleting")?.message ?? "";
    assert.match(message, /default\/first/);
    await node.kubectl(["delete", "clusters.cluster.x-k8s.io", "--all", "--timeout=120s"]);
    await waitFor(async () => !(await get(core, `--namespace=${namespace}`)), {
      what: "the provider to be gone",
      timeout: minutes(4),
    });

    const selector = "--selector=cluster.x-k8s.io/provider=cluster-api";
    const cluster = [
      "clusterroles,clusterrolebindings",
      "mutatingwebhookconfigurations,validatingwebhookconfigurations",
    ].join();
    assert.deepEqual(await names(cluster, selector), []);
    // They are kept unless a policy says otherwise: with them go all objects of their kinds.
    assert.notDeepEqual(await names("customresourcedefinitions", selector), []);
    const granted = (await names("clusterroles,clusterrolebindings")).filter((name) =>
      name.includes("rookery-operator:"),
    );
    assert.deepEqual(granted, []);
    await waitFor(
      async () => {
        const kinds =
          "deployments,replicasets,pods,services,serviceaccounts,secrets,roles,rolebindings";
        const left = await names(kinds, `--namespace=${namespace}`);
        return left.every((name) => name === "serviceaccount/default");
      },
      { what: "the namespace to be as it was", timeout: minutes(2) },
    );
  });
});

/** An infrastructure that is always there: its contract is all that the core looks at. */
const nestClusters = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: "nestclusters.infrastructure.cluster.x-k8s.io",
    labels: { "cluster.x-k8s.io/v1beta2": "v1beta2" },
  },
  spec: {
    group: "infrastructure.cluster.x-k8s.io",
    scope: "Namespaced",
    names: { kind: "NestCluster", plural: "nestclusters" },
    versions: [
      {
        name: "v1beta2",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
} as const;
