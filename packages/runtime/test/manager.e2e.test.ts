import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type KubernetesNode,
  startNode,
  type TestNamespace,
  waitFor,
  workspaceImage,
} from "@rookery/testing";
import { agedCertificate, issuerOf, MountedCertificates } from "./certificates.ts";
import {
  crd,
  group,
  image,
  instances,
  manifests,
  rotationLabel,
} from "./nest-manager-manifests.ts";
import { issuerAt, WebhookCalls } from "./webhook-calls.ts";

describe("a provider with two replicas on a real node", () => {
  let node: KubernetesNode;
  let namespace: TestNamespace;
  let mounted: MountedCertificates;
  let agedIssuer: string;

  before(async () => {
    node = await startNode({ shared: true });
    const source = fileURLToPath(new URL("./nest-manager.ts", import.meta.url));
    await node.importImage(
      await workspaceImage({
        name: image,
        files: [{ path: "packages/runtime/nest-manager.ts", source }],
        main: "packages/runtime/nest-manager.ts",
      }),
    );
    await node.applyCrd(crd);
    namespace = await node.createNamespace("provider");
    mounted = await MountedCertificates.create(`nest-files.${namespace.name}.svc`);
    const aged = await agedCertificate("nest-issued", namespace.name);
    agedIssuer = issuerOf(aged);
    await applySecret("nest-issued-cert", aged);
    await applySecret("nest-files-cert", mounted.first);
    for (const manifest of manifests(namespace.name)) await apply(manifest);
    await trust("nest-files", mounted.caBundle);
    await isAvailable();
    await isCallable();
  });
  after(() => node?.[Symbol.asyncDispose]());

  const kubectl = (...args: string[]) => node.kubectl([`--namespace=${namespace.name}`, ...args]);
  const apply = (manifest: object) =>
    node.kubectl(["apply", `--namespace=${namespace.name}`, "--filename=-"], {
      stdin: JSON.stringify(manifest),
    });
  const applySecret = (name: string, data: object) =>
    apply({ apiVersion: "v1", kind: "Secret", metadata: { name }, data });
  const isAvailable = async () => {
    for (const name of instances) {
      await kubectl("wait", `deployment/${name}`, "--for=condition=Available", "--timeout=180s");
    }
  };
  /** What the API server trusts when it calls an instance. */
  const trust = async (name: string, caBundle: string) => {
    const value = Buffer.from(caBundle).toString("base64");
    const patch = [{ op: "add", path: "/webhooks/0/clientConfig/caBundle", value }];
    const configuration = `validatingwebhookconfiguration/${name}`;
    await node.kubectl(["patch", configuration, "--type=json", `--patch=${JSON.stringify(patch)}`]);
  };
  /** Who issued what each pod of an instance serves. */
  const issuersOf = async (name: string): Promise<string[]> => {
    const path = "-o=jsonpath={.items[*].status.podIP}";
    const addresses = await kubectl("get", "pods", `--selector=app=${name}`, path);
    return Promise.all(addresses.split(" ").map((address) => issuerAt(address, 9443)));
  };
  const lay = (name: string, eggs: number) =>
    apply({ apiVersion: `${group}/v1`, kind: "Nest", metadata: { name }, spec: { eggs } });
  /** A Service leads to its pods, and to those alone, when kube-proxy has got to it. */
  const laidInTheEnd = (name: string, eggs: number) =>
    waitFor(() => lay(name, eggs).then(() => true), {
      what: `${eggs} eggs to be laid in ${name}`,
      timeout: 120_000,
    });
  /** Until the API server reaches all instances, and knows of their configurations and bundles. */
  const isCallable = async () => {
    const path = `/apis/${group}/v1/namespaces/${namespace.name}/nests?dryRun=All`;
    for (const labels of [{}, { [rotationLabel]: "" }]) {
      const metadata = { name: "probe", labels };
      const body = { apiVersion: `${group}/v1`, kind: "Nest", metadata, spec: { eggs: 13 } };
      const refused = async () => {
        const { message } = (await node.request("POST", path, { body })).body;
        return /no nest holds more than 12/.test(message);
      };
      await waitFor(refused, { what: "the webhooks to be called", timeout: 120_000 });
      const taken = async () => {
        const few = { ...body, spec: { eggs: 1 } };
        return (await node.request("POST", path, { body: few })).status === 201;
      };
      await waitFor(taken, { what: "all webhooks to answer", timeout: 120_000 });
    }
  };
  const counted = (name: string, eggs: number) =>
    waitFor(
      async () => {
        const path = `/apis/${group}/v1/namespaces/${namespace.name}/nests/${name}`;
        const { status } = (await node.request("GET", path)).body;
        return status?.eggs === eggs ? (status.by as string) : undefined;
      },
      { what: `${eggs} eggs to be counted in ${name}`, timeout: 120_000 },
    );
  /** The pod that holds the lease; nobody's name while nobody does. */
  const leading = async () => {
    const holder = "jsonpath={.spec.holderIdentity}";
    return (await kubectl("get", "lease", "nest-manager", "-o", holder)).split("_")[0] ?? "";
  };
  /** A pod that was told to end reconciles until it has given up its lease. */
  const anotherLeads = (leader: string) =>
    waitFor(async () => ![leader, ""].includes(await leading()), {
      what: `another pod than ${leader} to lead`,
      timeout: 120_000,
    });
  const caBundle = async () => {
    const path =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/nest-manager";
    return (await node.request("GET", path)).body.webhooks[0].clientConfig.caBundle as string;
  };

  test("reconciles, by the one that leads, and tells so by an event", async () => {
    await lay("a", 3);
    const leader = await counted("a", 3);
    assert.equal(await leading(), leader);
    await waitFor(async () => /there are 3 eggs/.test(await kubectl("get", "events")), {
      what: "the event",
    });
  });

  test("refuses what its webhook refuses, by a certificate that it issued itself", async () => {
    await assert.rejects(lay("b", 13), /spec.eggs: Invalid value: 13: no nest holds more than 12/);
  });

  test("answers every call while its certificate is rotated, one that it issues and one that is mounted", async () => {
    await using calls = new WebhookCalls(node, namespace.name);
    assert.deepEqual(await issuersOf("nest-files"), ["first"]);
    await applySecret("nest-files-cert", mounted.second);
    const isRotated = async () => {
      // The kubelet brings a mounted Secret up to date when it looks after the pod, once a minute or so.
      const hurry = `--overwrite=true hurried=${performance.now()}`.split(" ");
      await kubectl("annotate", "pods", "--selector=app=nest-files", ...hurry);
      const own = await issuersOf("nest-issued");
      const [files] = await issuersOf("nest-files");
      return own.every((issuer) => issuer !== agedIssuer) && files === "second";
    };
    await waitFor(isRotated, {
      what: "all certificates to be rotated",
      timeout: 240_000,
      interval: 1_000,
    });
    await calls.connectAnew(4);
    await waitFor(() => calls.answered > 100, { what: "a hundred calls" });
    assert.deepEqual(calls.failures, []);
  });

  test("goes on by the other replica when the leader's pod is killed", async () => {
    await lay("c", 1);
    const leader = await counted("c", 1);
    await kubectl("delete", "pod", leader, "--grace-period=0", "--force");
    await anotherLeads(leader);
    await laidInTheEnd("c", 2);
    assert.notEqual(await counted("c", 2), leader);
  });

  test("puts its certificate back when the Secret is lost, and refuses no call meanwhile", async () => {
    await isAvailable();
    const bundle = await caBundle();
    await kubectl("delete", "secret", "nest-manager-cert");
    await waitFor(
      async () => {
        await lay("d", 4);
        return kubectl("get", "secret", "nest-manager-cert").catch(() => undefined);
      },
      { what: "the Secret to be back", fatal: () => true },
    );
    assert.equal(await caBundle(), bundle);
    await assert.rejects(lay("d", 13), /no nest holds more than 12/);
    await counted("d", 4);
  });

  test("hands the lease over at once when it is asked to end", async () => {
    await lay("e", 1);
    const leader = await counted("e", 1);
    await kubectl("delete", "pod", leader, "--wait=false");
    await anotherLeads(leader);
    await laidInTheEnd("e", 2);
    assert.notEqual(await counted("e", 2), leader);
  });
});
