import assert from "node:assert/strict";
import { request } from "node:https";
import { after, before, describe, it } from "node:test";
import { type CertificateAuthority, createCertificateAuthority } from "@rookery/pki";
import { ensureBinaries } from "../../src/binaries/binaries.ts";
import { startKubernetes } from "../../src/kubernetes/start.ts";
import type { Kubernetes, TestNamespace } from "../../src/kubernetes.ts";
import { type ProcessNode, startProcessNode } from "../../src/pods/process-node.ts";
import { waitFor } from "../../src/process/wait-for.ts";
import { whyUnavailable } from "../../src/unavailable.ts";
import { etcdObjects, unknownImage } from "./etcd-objects.ts";

const skip = await whyUnavailable(() => ensureBinaries(["etcd"]));

describe("pods that are processes", { skip }, () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  let node: ProcessNode;
  let ca: CertificateAuthority;
  let address = "";

  before(async () => {
    const { etcd } = await ensureBinaries(["etcd"]);
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("process-node");
    const namespaces = [namespace.name];
    node = await startProcessNode(kubernetes, { images: { "etcd:3": etcd }, namespaces });
    ca = await createCertificateAuthority({ commonName: "etcd" });
    await apply(await etcdObjects(ca, "first"));
    address = await waitFor(async () => await loadBalancerAddress(), { what: "an address" });
  });
  after(async () => {
    await namespace[Symbol.asyncDispose]();
    await node[Symbol.asyncDispose]();
    await kubernetes[Symbol.asyncDispose]();
  });

  const at = (plural: string, name = "", group = "api/v1") =>
    `/${group}/namespaces/${namespace.name}/${plural}${name && `/${name}`}`;
  const apply = (objects: readonly object[]) =>
    kubernetes.kubectl(
      ["apply", `--namespace=${namespace.name}`, "--server-side", "--filename=-"],
      {
        stdin: objects.map((object) => JSON.stringify(object)).join("\n---\n"),
      },
    );
  const pod = async () => (await kubernetes.request("GET", at("pods", "etcd-0"))).body;
  const loadBalancerAddress = async (): Promise<string | undefined> => {
    const { body } = await kubernetes.request("GET", at("services", "etcd-client"));
    return body.status.loadBalancer.ingress?.[0]?.ip;
  };
  const becomesReady = (not?: string) =>
    waitFor(
      async () => {
        const { metadata, status } = await pod();
        const ready = status?.containerStatuses?.[0]?.ready === true;
        return ready && metadata.uid !== not ? { metadata, status } : undefined;
      },
      { what: "etcd to be ready" },
    );
  /** Asks etcd through the Service; throws until it answers. */
  const ask = (path: string, body: object) =>
    new Promise<{ value: string; serial: string }>((resolve, reject) => {
      const settings = { host: address, port: 2379, path, method: "POST", agent: false as const };
      const tls = { ca: ca.certificate, servername: "etcd-0.etcd" };
      const asked = request({ ...settings, ...tls }, (response) => {
        const socket = response.socket as unknown as {
          getPeerCertificate(): { subject: { CN: string } };
        };
        const serial = socket.getPeerCertificate().subject.CN;
        let text = "";
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () => {
          const { kvs = [] } = JSON.parse(text);
          resolve({ value: Buffer.from(kvs[0]?.value ?? "", "base64").toString(), serial });
        });
      });
      asked.on("error", reject);
      asked.end(JSON.stringify(body));
    });
  const key = Buffer.from("color").toString("base64");
  const value = Buffer.from("blue").toString("base64");
  const color = () => waitFor(() => ask("/v3/kv/range", { key }), { what: "etcd to answer" });

  it("run in a root of their own with their volumes, names and address, behind a Service", async () => {
    const { status } = await becomesReady();
    assert.match(status.podIP, /^127\./);
    assert.equal(status.phase, "Running");
    // The Service hears of it a little later.
    await waitFor(() => ask("/v3/kv/put", { key, value }), { what: "etcd to take a value" });
    assert.equal((await color()).value, "blue");
  });

  it("are started again when they are killed, with the data of their claim", async () => {
    await node.kill({ namespace: namespace.name, name: "etcd-0" });
    assert.equal((await color()).value, "blue");
    // It may answer before it is written down that it was started again.
    const isRestarted = async () => (await pod()).status.containerStatuses[0].restartCount > 0;
    await waitFor(isRestarted, { what: "the restart in the status" });
    const { status } = await becomesReady();
    assert.equal(status.containerStatuses[0].restartCount, 1);
    assert.equal(status.containerStatuses[0].lastState.terminated.reason, "Error");
  });

  it("see a Secret that changes", async () => {
    assert.equal((await color()).serial, "first");
    await apply((await etcdObjects(ca, "second")).slice(0, 1));
    await waitFor(async () => (await color()).serial === "second", { what: "the certificate" });
    assert.equal((await pod()).status.containerStatuses[0].restartCount, 1);
  });

  it("end when they are deleted, and another takes over the claim", async () => {
    const { metadata, status } = await pod();
    await kubernetes.request("DELETE", at("pods", "etcd-0"));
    const next = await becomesReady(metadata.uid);
    assert.notEqual(next.status.podIP, status.podIP);
    assert.equal((await color()).value, "blue");
  });

  it("wait where their image is not there", async () => {
    await apply([unknownImage]);
    await waitFor(
      async () => {
        const { body } = await kubernetes.request("GET", at("pods", "unknown"));
        return body.status.containerStatuses?.[0]?.state.waiting?.reason === "ErrImagePull";
      },
      { what: "the reason" },
    );
    await kubernetes.request("DELETE", at("pods", "unknown"));
  });

  it("leave nothing when all is deleted", async () => {
    const { body: claim } = await kubernetes.request(
      "GET",
      at("persistentvolumeclaims", "data-etcd-0"),
    );
    await kubernetes.request("DELETE", at("statefulsets", "etcd", "apis/apps/v1"));
    await kubernetes.request("DELETE", at("persistentvolumeclaims", "data-etcd-0"));
    const isGone = (path: string) => async () =>
      (await kubernetes.request("GET", path)).status === 404;
    await waitFor(isGone(at("pods", "unknown")), { what: "the pod that waits to go" });
    await waitFor(isGone(at("pods", "etcd-0")), { what: "the pod to go" });
    const volume = `/api/v1/persistentvolumes/${claim.spec.volumeName}`;
    await waitFor(isGone(volume), { what: "the volume to go" });
  });
});
