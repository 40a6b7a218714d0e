import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Provider } from "@rookery/api";
import { configMapOf } from "@rookery/components";
import { builtInResources, getCondition, type KubeObject } from "@rookery/kube";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "InfrastructureProvider";
const core = { namespace: "capi-system", name: "cluster-api" };
const aws = { namespace: "capa-system", name: "aws" };
const good = smallProvider({ name: "aws" });

/** What is wrong with a release or with a spec, and what the provider says of it. */
interface Row {
  /** YAML of the release; a good one where absent. */
  readonly components?: string;
  readonly metadata?: string;
  readonly contract?: string;
  /** Beside the version. */
  readonly spec?: object;
  readonly says: readonly [type: string, reason: string];
  readonly message: RegExp;
}

const another = (changes: string) => `${good}---\n${changes}`;
const nobody = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra, namespace: aws-system}\n";

const rows: Readonly<Record<string, Row>> = {
  "text that is no YAML": {
    components: `${good}---\nkind: [`,
    says: ["ProviderFetched", "InvalidComponents"],
    message: /could not read document \d+ \(line \d+\)/,
  },
  "a document that is no object": {
    components: another("- a list\n"),
    says: ["ProviderFetched", "InvalidComponents"],
    message: /it is no object with apiVersion and kind/,
  },
  "an object of a kind that nobody serves": {
    components: another(
      "apiVersion: v2\nkind: Pod\nmetadata: {name: one, namespace: aws-system}\n",
    ),
    says: ["ProviderFetched", "UnsupportedKind"],
    message: /Pod aws-system\/one \(v2\) is of a kind that nobody serves/,
  },
  "the same object twice": {
    components: another(`${nobody}---\n${nobody}`),
    says: ["ProviderFetched", "DuplicateObject"],
    message: /ConfigMap aws-system\/extra is there twice/,
  },
  "two Deployments with the container that the spec means": {
    components: another(
      good
        .split("---")
        .filter((text) => /kind: Deployment/.test(text))
        .join("")
        .replaceAll("aws-manager", "second-manager")
        .replaceAll("app: aws", "app: second"),
    ),
    spec: { deployment: { containers: [{ name: "manager", args: { v: 4 } }] } },
    says: ["ProviderFetched", "AmbiguousContainer"],
    message: /manager.*aws-manager.*second-manager/s,
  },
  "a container that is not there": {
    spec: { deployment: { containers: [{ name: "sidecar" }] } },
    says: ["ProviderFetched", "ContainerNotFound"],
    message: /sidecar/,
  },
  "variables that nobody knows": {
    components: smallProvider({ name: "aws", args: ["--a=$" + "{AWS_A}", "--b=$" + "{AWS_B}"] }),
    says: ["ProviderFetched", "MissingVariables"],
    message: /no value for AWS_A, AWS_B; set them in the Secret/,
  },
  "a variable that is written wrongly": {
    components: smallProvider({ name: "aws", args: ["--a=$" + "{AWS_A"] }),
    says: ["ProviderFetched", "InvalidSubstitution"],
    message: /in line \d+/,
  },
  "a Secret that is in another namespace": {
    spec: { secretName: "elsewhere" },
    says: ["ProviderFetched", "SecretNotFound"],
    message: /"elsewhere" in namespace capa-system/,
  },
  "a Secret that is named with its namespace": {
    spec: { secretName: "capi-system/elsewhere" },
    says: ["PreflightCheckPassed", "InvalidSecretName"],
    message: /own namespace capa-system/,
  },
  "an object outside of its namespace": {
    components: another(nobody.replace("aws-system", "kube-system")),
    says: ["ProviderFetched", "OutsideNamespace"],
    message: /ConfigMap kube-system\/extra reaches outside of its namespace aws-system/,
  },
  "a binding for an account outside of its namespace": {
    components: good.replace(
      "name: aws-manager, namespace: aws-system}]",
      "name: aws-manager, namespace: kube-system}]",
    ),
    says: ["ProviderFetched", "OutsideNamespace"],
    message: /kube-system/,
  },
  "metadata without the version": {
    metadata:
      "apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nkind: Metadata\nreleaseSeries: [{major: 0, minor: 1, contract: v1beta2}]\n",
    says: ["ProviderFetched", "VersionNotInMetadata"],
    message: /v1\.\d+/,
  },
  "metadata that is none": {
    metadata: "kind: Something\n",
    says: ["ProviderFetched", "InvalidMetadata"],
    message: /could not read metadata\.yaml/,
  },
  "an image that is none": {
    spec: { deployment: { containers: [{ name: "manager", image: "not an image" }] } },
    says: ["ProviderFetched", "InvalidImage"],
    message: /deployment\.containers\[manager\]\.image.*"not an image"/,
  },
  "a CRD of another provider": {
    components: another(
      smallProvider({ name: "core" })
        .split("---")
        .filter((text) => /kind: CustomResourceDefinition/.test(text))
        .join(""),
    ),
    says: ["ProviderInstalled", "ObjectOwnedByOther"],
    message: /nests\.core\.example\.com belongs to the provider cluster-api/,
  },
  "a role that somebody made by hand": {
    components: another(
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: by-hand}\nrules: []\n",
    ),
    says: ["ProviderInstalled", "ObjectOwnedByOther"],
    message: /ClusterRole by-hand exists already and belongs to no provider/,
  },
  "a CRD that loses the version that objects are stored in": {
    components: smallProvider({ name: "aws", versions: ["v2"] }),
    says: ["ProviderInstalled", "StoredVersionDropped"],
    message: /nests\.aws\.example\.com: it would lose version v1/,
  },
  "an object that the API server refuses": {
    components: good.replace("matchLabels: {app: aws}", "matchLabels: {app: other}"),
    says: ["ProviderInstalled", "ApplyFailed"],
    message: /could not apply Deployment.*aws-manager.*does not match/s,
  },
  "another contract than the core's": {
    contract: "v1beta1",
    says: ["PreflightCheckPassed", "ContractChangeBlocked"],
    message: /CoreProvider capi-system\/cluster-api is not paused/,
  },
  "rights that its manager cannot work with": {
    spec: { watch: { namespaces: ["team", "other"], rbac: "Namespaced" } },
    says: ["PreflightCheckPassed", "RbacNotPossible"],
    message: /its manager lists the whole cluster/,
  },
};

describe("a change that cannot be made is told, and what runs keeps running", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;
  let running: KubeObject | undefined;
  let minor = 0;

  before(async () => {
    cluster = await OperatorCluster.start();
    admin = cluster.admin;
    const coreComponents = smallProvider({ name: "core" });
    await admin.install("CoreProvider", core, {
      name: core.name,
      version: "v1.0.0",
      components: coreComponents,
    });
    await admin.makeSecret(core.namespace, "elsewhere", { AWS_A: "1" });
    await cluster.kubernetes.kubectl([
      "create",
      "clusterrole",
      "by-hand",
      "--verb=get",
      "--resource=pods",
    ]);
    await admin.install(kind, aws, { name: aws.name, version: "v1.0.0", components: good });
    running = await manager();
  });
  after(() => cluster[Symbol.asyncDispose]());

  const manager = () =>
    admin.find(
      { group: "apps", kind: "Deployment" },
      { namespace: aws.namespace, name: "aws-manager" },
    );

  /** Offers a release of the next version, and asks for it. */
  const ask = async ({ components = good, metadata, contract = "v1beta2", spec = {} }: Row) => {
    minor += 1;
    const version = `v1.${minor}.0`;
    const series = `[{major: 1, minor: ${minor}, contract: ${contract}}]`;
    const right = `apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nkind: Metadata\nreleaseSeries: ${series}\n`;
    const meta = {
      name: `aws-${version}`,
      namespace: aws.namespace,
      labels: { provider: aws.name },
    };
    const files = { components, metadata: metadata ?? right, version };
    const configMaps = admin.client.resource(builtInResources.configMaps);
    await configMaps.apply(configMapOf(meta, files), { fieldManager: "admin", force: true });
    const nothing = { deployment: null, secretName: null, watch: null };
    await admin.change(kind, aws, { ...nothing, version, ...spec });
  };

  const keepsRunning = async ({ status }: Provider) => {
    assert.equal(status?.installedVersion, "v1.0.0");
    assert.equal(getCondition(status?.conditions, "ProviderAvailable")?.status, "True");
    const { metadata } = (await manager()) ?? {};
    assert.equal(metadata?.uid, running?.metadata.uid);
    assert.equal(metadata?.generation, running?.metadata.generation);
  };

  for (const [what, row] of Object.entries(rows)) {
    it(what, async () => {
      await ask(row);
      const [type, reason] = row.says;
      const { status, ...provider } = await admin.conditionIs(kind, aws, [type, reason]);
      const condition = getCondition(status?.conditions, type);
      assert.equal(condition?.status, "False");
      assert.match(condition?.message ?? "", row.message);
      assert.equal(getCondition(status?.conditions, "Ready")?.reason, reason);
      await keepsRunning({ ...provider, ...(status && { status }) });
    });
  }

  it("a second object of the same kind and name, beside which the first goes on", async () => {
    const second = { namespace: "elsewhere", name: aws.name };
    await admin.makeNamespace(second.namespace);
    await admin.create(kind, second, { version: "v1.0.0" });
    await admin.conditionIs(kind, second, ["PreflightCheckPassed", "SecondInstance"]);
    await keepsRunning(await admin.get(kind, aws));
    await admin.remove(kind, second);
    await admin.isGone(kind, second);
  });

  it("a downgrade", async () => {
    await admin.change(kind, aws, { version: "v0.9.0", watch: null });
    const { status } = await admin.conditionIs(kind, aws, ["PreflightCheckPassed", "Downgrade"]);
    const { message = "" } = getCondition(status?.conditions, "Ready") ?? {};
    assert.match(message, /set spec\.version to a release of v1\.0, or newer/);
    await keepsRunning(await admin.get(kind, aws));
  });

  it("goes on with the next one that can", async () => {
    await ask({
      components: smallProvider({ name: "aws", image: "example.com/manager:v2" }),
      says: ["", ""],
      message: /./,
    });
    const { status } = await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.equal(status?.installedVersion, `v1.${minor}.0`);
  });
});
