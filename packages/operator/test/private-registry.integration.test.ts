import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { HttpRequest, HttpResponse } from "@rookery/http";
import { builtInResources, getCondition, type KubeObject } from "@rookery/kube";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "InfrastructureProvider";
const core = { namespace: "capi-system", name: "cluster-api" };
const aws = { namespace: "capa-system", name: "aws" };
const version = "v1.0.0";
const metadata =
  "apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nkind: Metadata\n" +
  "releaseSeries: [{major: 1, minor: 0, contract: v1beta2}]\n";

/** A registry that asks for a password, with the components of one version. */
class PrivateRegistry {
  /** Who asked for a file, and got it. */
  readonly served: string[] = [];
  components = smallProvider({ name: "aws" });
  readonly #authorization =
    `Basic ${Buffer.from("robot:secret-of-the-registry").toString("base64")}`;

  readonly connect = (origin: string) => ({
    handler: async (request: HttpRequest) => this.#answer(origin, request),
    destroy: async () => {},
  });

  #answer(origin: string, { path, headers }: HttpRequest): HttpResponse {
    assert.equal(origin, "https://registry.example");
    if (headers.authorization !== this.#authorization) {
      return { status: 401, headers: { "www-authenticate": "Basic realm=registry" } };
    }
    const files = { "metadata.yaml": metadata, "components.yaml": this.components };
    const layers = Object.entries(files).map(([title, text]) => ({
      digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
      annotations: { "org.opencontainers.image.title": title },
      text,
    }));
    const blob = layers.find(({ digest }) => path.endsWith(digest))?.text;
    const body = path.endsWith(`/manifests/${version}`) ? JSON.stringify({ layers }) : blob;
    if (body === undefined) return { status: 404, headers: {} };
    this.served.push(path);
    return { status: 200, headers: {}, body: new TextEncoder().encode(body) };
  }
}

describe("a provider in a private registry", () => {
  const registry = new PrivateRegistry();
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start({ downloader: { connect: registry.connect } });
    ({ admin } = cluster);
    const forCore = smallProvider({ name: "core" });
    await admin.install("CoreProvider", core, { name: core.name, version, components: forCore });
    await admin.makeNamespace(aws.namespace);
  });
  after(() => cluster[Symbol.asyncDispose]());

  const writeSecret = (name: string, password: string) => {
    const auths = { "https://registry.example": { username: "robot", password } };
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: aws.namespace, name },
      type: "kubernetes.io/dockerconfigjson",
      stringData: { ".dockerconfigjson": JSON.stringify({ auths }) },
    };
    return admin.client
      .resource<KubeObject>(builtInResources.secrets)
      .apply(secret, { fieldManager: "admin", force: true });
  };

  it("waits for the Secret with the credentials", async () => {
    const url = "oci://registry.example/team/aws";
    const fetchConfig = { url, secretName: "pull" };
    await admin.create(kind, aws, { version, fetchConfig });
    const { status } = await admin.conditionIs(kind, aws, ["ProviderFetched", "SecretNotFound"]);
    const { message = "" } = getCondition(status?.conditions, "Ready") ?? {};
    assert.match(message, /credentials of spec\.fetchConfig from Secret "pull"/);
    assert.deepEqual(registry.served, []);
  });

  it("says that the registry refuses them, and not what they are", async () => {
    await writeSecret("wrong", "wrong-password");
    await admin.change(kind, aws, { fetchConfig: { secretName: "wrong" } });
    const { status } = await admin.conditionIs(kind, aws, ["ProviderFetched", "Unauthorized"]);
    assert.doesNotMatch(JSON.stringify(status), /wrong-password/);
  });

  it("is installed with them", async () => {
    await writeSecret("pull", "secret-of-the-registry");
    await admin.change(kind, aws, { fetchConfig: { secretName: "pull" } });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.equal(registry.served.length, 4);
  });

  it("is installed from the record when they change, and does not find them in its components", async () => {
    await writeSecret("pull", "another-password");
    await admin.change(kind, aws, { deployment: { replicas: 2 } });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    await writeSecret("pull", "secret-of-the-registry");
    registry.components = smallProvider({ name: "aws", args: ["--password=$" + "{OCI_PASSWORD}"] });
    await admin.change(kind, aws, { fetchRevision: "2" });
    const { status } = await admin.conditionIs(kind, aws, ["ProviderFetched", "MissingVariables"]);
    const { message = "" } = getCondition(status?.conditions, "Ready") ?? {};
    assert.match(message, /no value for OCI_PASSWORD/);
  });
});
