import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { nestedAPIServer, nestedControllerManager, nestedEtcd, resourceOf } from "@rookery/api";
import { isNotFound, type KubeObject } from "@rookery/kube";
import { createCertificateAuthority, parseCertificate } from "@rookery/pki";
import { clusterApiSource, whyUnavailable } from "@rookery/testing";
import { parse } from "yaml";
import { coreClusters } from "./core-resources.ts";
import {
  controlPlanes,
  PlaneWorld,
  pretended,
  pretendedReferences,
  type Secret,
  secrets,
} from "./plane-world.ts";

const skip = await whyUnavailable(clusterApiSource);
const examples = join(import.meta.dirname, "../../../examples/nested");
const textOf = ({ data }: Secret, key: string) =>
  Buffer.from(data?.[key] ?? "", "base64").toString("utf8");

describe("what the components of a control plane share", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let world: PlaneWorld;
  const blue = { namespace: "blue", name: "tenant" };
  const green = { namespace: "green", name: "tenant" };

  before(async () => {
    world = stack.use(await PlaneWorld.start());
    await Promise.all([world.makeNamespace("blue"), world.makeNamespace("green")]);
    stack.use(await world.startManagers());
  });
  after(() => stack.disposeAsync());

  it("waits for components that are not there, and says which", async () => {
    await world.supplyAuthority(blue);
    await world.makeCluster(blue, pretendedReferences(blue.name));
    await world.makePretended(blue, ["etcd", "controllerManager"]);
    const { message } = await world.controlPlaneSays(blue, "Ready", "ComponentMissing");
    assert.match(message, /Pretended tenant-apiserver/);
    await world.makePretended(blue, ["apiserver"]);
    await world.controlPlaneSays(blue, "ComponentsFound", "Found");
    const component = await world.client
      .resource<KubeObject>(pretended)
      .get({ namespace: "blue", name: "tenant-etcd" });
    const [owner] = component.metadata.ownerReferences ?? [];
    assert.equal(owner?.kind, "NestedControlPlane");
    assert.equal(owner?.controller, true);
  });

  it("is made around an authority that somebody supplied, which stays as it is", async () => {
    await world.controlPlaneSays(blue, "CertificatesAvailable", "Available");
    await world.controlPlaneSays(blue, "EndpointAvailable", "WaitingForEndpoint");
    const supplied = await world.secret(blue, "ca");
    assert.equal(supplied.metadata.ownerReferences, undefined);
    assert.equal(textOf(supplied, "tls.crt"), world.kubernetes.ca);
    const serving = await world.secret(blue, "apiserver-serving-cert");
    assert.equal(serving.type, "cluster.x-k8s.io/secret");
    assert.equal(textOf(serving, "ca.crt"), world.kubernetes.ca);
    const { dnsNames, ipAddresses } = parseCertificate(textOf(serving, "tls.crt"));
    assert.ok(dnsNames.includes("tenant-apiserver.blue.svc"));
    assert.ok(ipAddresses.includes("10.96.0.1"));
    const manager = await world.secret(blue, "controller-manager-client-cert");
    const { clusters } = parse(textOf(manager, "kubeconfig"));
    assert.equal(clusters[0].cluster.server, "https://tenant-apiserver.blue.svc:6443");
  });

  it("is ready when the tenant answers, with addresses from a foreign etcd", async () => {
    const addresses = [{ hostname: "etcd.example.dev", port: 2379 }];
    const etcd = { namespace: "blue", name: "tenant-etcd" };
    await world.patchStatus(pretended, etcd, { addresses });
    await world.pretendToServe(blue);
    await world.controlPlaneSays(blue, "Ready", "Ready");
    const { status } = await world.controlPlane(blue);
    assert.deepEqual(status?.etcd?.addresses, addresses);
    assert.equal(status?.initialized, true);
    assert.equal(status?.initialization?.controlPlaneInitialized, true);
    assert.equal(status?.ready, true);
    assert.equal(status?.version, world.kubernetes.version);
    assert.equal(status?.externalManagedControlPlane, true);
    const uploaded = await world.kubernetes.kubectl([
      ...["get", "configmap", "kubeadm-config", "--namespace=kube-system"],
      "--output=jsonpath={.data.ClusterConfiguration}",
    ]);
    assert.equal(parse(uploaded).clusterName, "tenant");
    const nested = await world.waits("the NestedCluster to be ready", async () => {
      const cluster = await world.cluster(blue);
      return cluster.status?.ready && cluster;
    });
    assert.equal(nested.spec?.controlPlaneEndpoint?.host, "127.0.0.1");
    assert.equal(nested.status?.initialization?.provisioned, true);
  });

  it("has a kubeconfig that is made anew when the endpoint changes", async () => {
    const server = async () =>
      parse(textOf(await world.secret(blue, "kubeconfig"), "value")).clusters[0].cluster.server;
    assert.equal(await server(), world.kubernetes.server);
    const { port } = new URL(world.kubernetes.server);
    const other = `https://localhost:${port}`;
    await world.pretendToServe(blue, other);
    await world.waits("the kubeconfig to follow", async () => (await server()) === other);
    await world.waits("the NestedCluster to follow", async () => {
      const { spec } = await world.cluster(blue);
      return spec?.controlPlaneEndpoint?.host === "localhost";
    });
    await world.controlPlaneSays(blue, "Ready", "Ready");
  });

  it("takes a kubeconfig without an owner as its own", async () => {
    const { name } = (await world.secret(blue, "kubeconfig")).metadata;
    const key = { namespace: "blue", name: name ?? "" };
    await world.patch(secrets, key, { metadata: { ownerReferences: null } });
    await world.waits("the kubeconfig to be adopted", async () => {
      const { metadata } = await world.secret(blue, "kubeconfig");
      return metadata.ownerReferences?.[0]?.kind === "NestedControlPlane";
    });
  });

  it("says when somebody else has taken a component, and takes it back when it is free", async () => {
    const etcd = { namespace: "blue", name: "tenant-etcd" };
    const thief = {
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "thief",
      uid: "1",
      controller: true,
    };
    await world.patch(pretended, etcd, { metadata: { ownerReferences: [thief] } });
    const { message } = await world.controlPlaneSays(blue, "Ready", "ComponentOwnedByOther");
    assert.match(message, /Pretended tenant-etcd/);
    assert.match((await world.controlPlane(blue)).status?.failureMessage ?? "", /tenant-etcd/);
    await world.patch(pretended, etcd, { metadata: { ownerReferences: null } });
    await world.controlPlaneSays(blue, "Ready", "Ready");
    assert.equal((await world.controlPlane(blue)).status?.failureMessage, undefined);
  });

  it("names every Secret that cannot be used, and goes on when they are right", async () => {
    const { certificate } = await createCertificateAuthority({ commonName: "one" });
    const { key } = await createCertificateAuthority({ commonName: "other" });
    const authority = await createCertificateAuthority({ commonName: "signer" });
    const leaf = await authority.issue({ commonName: "no authority", usages: ["client"] });
    await world.makeSecret(green, "etcd", { "tls.crt": certificate, "tls.key": key });
    await world.makeSecret(green, "proxy", { "tls.crt": leaf.certificate, "tls.key": leaf.key });
    await world.makeMismatchedKeys(green);
    await world.makePretended(green);
    await world.makeCluster(green, pretendedReferences(green.name));
    const { message } = await world.controlPlaneSays(green, "CertificatesAvailable", "KeyMismatch");
    assert.match(message, /tenant-etcd.*tenant-proxy.*tenant-sa/);
    assert.doesNotMatch(message, /PRIVATE KEY/);
    for (const purpose of ["etcd", "proxy", "sa"]) {
      const name = `tenant-${purpose}`;
      await world.client.resource(secrets).delete({ namespace: "green", name });
    }
    await world.controlPlaneSays(green, "CertificatesAvailable", "Available");
    assert.notEqual(textOf(await world.secret(green, "ca"), "tls.crt"), world.kubernetes.ca);
  });

  it("stands still while the Cluster is paused", async () => {
    await world.patch(coreClusters, green, { spec: { paused: true } });
    await world.controlPlaneSays(green, "Paused", "Paused");
    const key = { namespace: "green", name: "tenant-proxy-client-cert" };
    await world.client.resource(secrets).delete(key);
    // What happens to the other tenant shows that the controller has had the time.
    const other = { namespace: "blue", name: "tenant-proxy-client-cert" };
    await world.client.resource(secrets).delete(other);
    await world.waits("the other's to be back", () => world.client.resource(secrets).get(other));
    await assert.rejects(world.client.resource(secrets).get(key), isNotFound);
    await world.patch(coreClusters, green, { spec: { paused: false } });
    await world.waits("it to be back", () => world.client.resource(secrets).get(key));
  });

  it("makes three components for a version alone, and takes later versions on to them", async () => {
    const gold = { namespace: "gold", name: "tenant" };
    await world.makeNamespace("gold");
    const services = { cidrBlocks: ["10.70.0.0/16"] };
    await world.makeCluster(gold, { version: "v1.33.13" }, { clusterNetwork: { services } });
    const kinds = [nestedEtcd, nestedAPIServer, nestedControllerManager];
    const names = ["tenant-etcd", "tenant-apiserver", "tenant-controller-manager"];
    const specs = async () =>
      Promise.all(
        kinds.map(async (kind, index) => {
          const resource = world.client.resource<KubeObject<Record<string, string>>>(
            resourceOf(kind, "v1alpha4"),
          );
          return (await resource.get({ namespace: "gold", name: names[index] ?? "" })).spec;
        }),
      );
    await world.waits("the components to be named", async () => {
      const { spec } = await world.controlPlane(gold);
      return spec.controllerManager?.name === names[2];
    });
    const [, apiServer] = await specs();
    assert.equal(apiServer?.serviceCidr, "10.70.0.0/16");
    const serving = await world.waits("a certificate for its Services", async () => {
      const secret = await world.secret(gold, "apiserver-serving-cert");
      const { ipAddresses } = parseCertificate(textOf(secret, "tls.crt"));
      return ipAddresses.includes("10.70.0.1") && secret;
    });
    assert.equal(serving.metadata.labels?.["cluster.x-k8s.io/cluster-name"], "tenant");
    await world.patch(controlPlanes, gold, { spec: { version: "v1.34.4" } });
    await world.waits("the components to follow", async () => {
      const [etcd, apiserver, manager] = await specs();
      return (
        etcd?.version === "3.6.8" &&
        apiserver?.version === "v1.34.4" &&
        manager?.version === "v1.34.4"
      );
    });
  });

  it("has a component again that somebody deletes, and the API server its address", async () => {
    const gold = { namespace: "gold", name: "tenant" };
    const kinds = [nestedControllerManager, nestedAPIServer, nestedEtcd];
    const names = ["tenant-controller-manager", "tenant-apiserver", "tenant-etcd"];
    const endpoint = await world.waits("the address to be remembered", async () => {
      const { status } = await world.controlPlane(gold);
      return status?.apiserver?.endpoint;
    });
    for (const [index, kind] of kinds.entries()) {
      const key = { namespace: "gold", name: names[index] ?? "" };
      const resource = world.client.resource<KubeObject>(resourceOf(kind, "v1alpha4"));
      const { metadata } = await resource.get(key);
      await resource.delete(key);
      await world.waits(`${key.name} to be back`, async () => {
        const found = await resource.get(key).catch(() => undefined);
        return found !== undefined && found.metadata.uid !== metadata.uid;
      });
    }
    const path = "/api/v1/namespaces/gold/services/tenant-apiserver";
    const { spec } = await world.waits("the Service", async () => {
      const { status, body } = await world.kubernetes.request("GET", path);
      return status === 200 && body;
    });
    assert.equal(spec.clusterIP, endpoint.host);
  });

  it("is light with the example's Cluster, NestedCluster and NestedControlPlane alone", async () => {
    const light = { namespace: "light", name: "light" };
    await world.makeNamespace("light");
    const file = join(examples, "4-light.yaml");
    await world.kubernetes.kubectl(["apply", "--namespace=light", `--filename=${file}`]);
    await world.ownAsCore(light);
    await world.controlPlaneSays(light, "ComponentsFound", "Found");
    await world.controlPlaneSays(light, "CertificatesAvailable", "Available");
    const deployments = await world.waits("the Deployment", async () => {
      const { body } = await world.kubernetes.request(
        "GET",
        "/apis/apps/v1/namespaces/light/deployments",
      );
      return body.items.length > 0 && body.items;
    });
    const names = deployments.map(({ metadata }: KubeObject) => metadata.name);
    assert.deepEqual(names, ["light-apiserver"]);
    const { spec } = await world.controlPlane(light);
    assert.deepEqual([spec.apiserver?.name, spec.etcd], ["light-apiserver", undefined]);
  });

  /** As an administrator may do it, until the policy is deleted. */
  async function refuseEtcdIn(namespace: string, policies: string): Promise<void> {
    const apiVersion = "admissionregistration.k8s.io/v1";
    const metadata = { name: "no-etcd" };
    const { group, plural, kind, version } = resourceOf(nestedEtcd, "v1alpha4");
    const rule = { apiGroups: [group], apiVersions: ["*"], operations: ["CREATE"] };
    const policy = {
      apiVersion,
      kind: "ValidatingAdmissionPolicy",
      metadata,
      spec: {
        matchConstraints: { resourceRules: [{ ...rule, resources: [plural] }] },
        validations: [
          {
            expression: `object.metadata.namespace != "${namespace}"`,
            message: "no etcd here",
            reason: "Forbidden",
          },
        ],
      },
    };
    const spec = { policyName: metadata.name, validationActions: ["Deny"] };
    const binding = { apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata, spec };
    await world.kubernetes.request("POST", policies, { body: policy });
    await world.kubernetes.request("POST", policies.replace("policies", "policybindings"), {
      body: binding,
    });
    const path = `/apis/${group}/${version}/namespaces/${namespace}/${plural}?dryRun=All`;
    const body = { apiVersion: `${group}/${version}`, kind, metadata: { name: "trial" } };
    await world.waits("the policy to be followed", async () => {
      const { status } = await world.kubernetes.request("POST", path, { body });
      return status === 403;
    });
  }

  it("says why a component cannot be created, until it can be", async () => {
    const poor = { namespace: "poor", name: "tenant" };
    await world.makeNamespace("poor");
    const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    await refuseEtcdIn(poor.namespace, policies);
    await world.makeCluster(poor, { version: "v1.34.4" });
    const { message } = await world.controlPlaneSays(poor, "ComponentsCreated", "Forbidden");
    assert.match(message, /the API server refused a request of the manager: .*no etcd here/);
    await world.kubernetes.request("DELETE", `${policies}/no-etcd`);
    await world.controlPlaneSays(poor, "ComponentsFound", "Found");
    await world.controlPlaneSays(poor, "ComponentsCreated", "Created");
  });

  it("uses an immutable certificate that somebody supplied, and never writes to it", async () => {
    const own = { namespace: "own-leaf", name: "tenant" };
    await world.makeNamespace(own.namespace);
    const authority = await createCertificateAuthority({ commonName: "signer" });
    const { certificate, key } = authority;
    await world.makeSecret(own, "proxy", { "tls.crt": certificate, "tls.key": key });
    const leaf = await authority.issue({ commonName: "front-proxy-client", usages: ["client"] });
    const texts = { "tls.crt": leaf.certificate, "tls.key": leaf.key };
    const { metadata } = await world.makeSecret(own, "proxy-client-cert", texts);
    const leafKey = { namespace: own.namespace, name: "tenant-proxy-client-cert" };
    await world.patch(secrets, leafKey, { immutable: true });
    const { resourceVersion } = (await world.secret(own, "proxy-client-cert")).metadata;
    await world.makePretended(own);
    await world.makeCluster(own, pretendedReferences(own.name));
    await world.controlPlaneSays(own, "CertificatesAvailable", "Available");
    const kept = await world.secret(own, "proxy-client-cert");
    assert.equal(kept.metadata.uid, metadata.uid);
    assert.equal(kept.metadata.resourceVersion, resourceVersion);
    const companion = await world.secret(own, "proxy-client-cert-companion");
    assert.deepEqual(Object.keys(companion.data ?? {}), ["ca.crt"]);
    assert.equal(textOf(companion, "ca.crt"), certificate);
  });

  it("is declared as the examples declare it", async () => {
    const files = (await readdir(examples)).toSorted();
    await world.makeNamespace("examples");
    for (const file of files) {
      const text = await readFile(join(examples, file), "utf8");
      // cert-manager is not there; what it would issue is tried above.
      const own = text.split(/^---$/m).filter((part) => !part.includes("cert-manager.io/v1"));
      const args = ["apply", "--namespace=examples", "--validate=strict", "--filename=-"];
      await world.kubernetes.kubectl(args, { stdin: own.join("---") });
    }
    assert.deepEqual(files, [
      "1-a-version.yaml",
      "2-components.yaml",
      "3-own-authority.yaml",
      "4-light.yaml",
      "5-a-namespace.yaml",
    ]);
  });

  it("is declared as the documentation declares it, in the namespace of the examples", async () => {
    const page = await readFile(join(examples, "../../docs/nested.md"), "utf8");
    const blocks = Array.from(page.matchAll(/^```yaml\n(.*?)^```$/gms), ([, text = ""]) => text);
    const objects = blocks.filter((text) => text.startsWith("apiVersion:"));
    assert.equal(objects.length, 2);
    for (const stdin of objects) {
      await world.kubernetes.kubectl(["apply", "--validate=strict", "--filename=-"], { stdin });
    }
    const tenant = { namespace: "team", name: "tenant" };
    await world.ownAsCore(tenant);
    await world.controlPlaneSays(tenant, "ComponentsFound", "Found");
  });

  it("takes a control plane apart in order, and leaves only what somebody supplied", async () => {
    const resource = world.client.resource<KubeObject>(pretended);
    const components = ["tenant-controllermanager", "tenant-apiserver", "tenant-etcd"];
    const finalizers = ["example.dev/slow"];
    for (const name of components) {
      await world.patch(pretended, { namespace: "blue", name }, { metadata: { finalizers } });
    }
    await world.client.resource(controlPlanes).delete(blue);
    for (const [index, name] of components.entries()) {
      await world.waits(`${name} to be asked to go`, async () => {
        const component = await resource.get({ namespace: "blue", name });
        return component.metadata.deletionTimestamp !== undefined;
      });
      for (const later of components.slice(index + 1)) {
        const { metadata } = await resource.get({ namespace: "blue", name: later });
        assert.equal(metadata.deletionTimestamp, undefined, `${later} before ${name}`);
      }
      await world.patch(pretended, { namespace: "blue", name }, { metadata: { finalizers: null } });
    }
    await world.waits("the control plane to be gone", () =>
      world.controlPlane(blue).then(() => false, isNotFound),
    );
    const { items } = await world.client.resource<Secret>(secrets).list({ namespace: "blue" });
    const left = items.map(({ metadata }) => metadata.name);
    assert.deepEqual(left, ["tenant-ca"]);
  });
});
