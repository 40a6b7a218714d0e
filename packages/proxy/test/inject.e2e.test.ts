import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createGroupMapping } from "@rookery/group-suffix";
import { rookeryImage } from "@rookery/packaging";
import { createCertificateAuthority } from "@rookery/pki";
import { injectProxy } from "@rookery/proxy";
import { type KubernetesNode, startNode, type TestNamespace, waitFor } from "@rookery/testing";
import { parseAllDocuments } from "yaml";
import { describeWith, findAviary } from "./operators-programs.ts";

const virtual = "aviary.example.com";
const groups = { team1: "aviary.team1.example.com", team2: "aviary.team2.example.com" };
type Name = keyof typeof groups;
const names = Object.keys(groups) as Name[];
const patience = { timeout: 180_000 };

describeWith(
  "two instances of an app in pods, each with its proxy beside it",
  await findAviary(),
  (program) => {
    let node: KubernetesNode;
    let namespace: TestNamespace;

    before(async () => {
      node = await startNode({ shared: true });
      const image = await rookeryImage();
      await node.importImage(image);
      await node.importImage({
        name: "example.com/aviary:v1",
        entries: [{ path: "aviary", source: program, mode: 0o755 }],
        entrypoint: ["/aviary"],
      });
      for (const name of names) await install(name, image.name);
      namespace = await node.createNamespace("world");
      for (const name of names) {
        const available = ["deployment/aviary", "--for=condition=Available", "--timeout=240s"];
        await node.kubectl(["wait", `--namespace=${name}`, ...available]);
      }
    });
    after(() => node?.[Symbol.asyncDispose]());

    /** The app's manifests and the certificate of its webhooks, as the app's authors would have it. */
    async function install(name: Name, image: string): Promise<void> {
      const authority = await createCertificateAuthority({ commonName: "aviary" });
      const { certificate, key } = await authority.issue({
        commonName: "aviary",
        dnsNames: [`aviary-webhooks.${name}.svc`],
        usages: ["server"],
      });
      const secret = {
        apiVersion: "v1",
        kind: "Secret",
        type: "kubernetes.io/tls",
        metadata: { name: "aviary-webhook-cert" },
        stringData: { "tls.crt": certificate, "tls.key": key },
      };
      const caBundle = Buffer.from(authority.certificate).toString("base64");
      const text = await readFile(new URL("./inject-app.yaml", import.meta.url), "utf8");
      const trusting = parseAllDocuments(text).map((document) =>
        JSON.parse(JSON.stringify(document), (field, value) =>
          field === "clientConfig" ? { ...value, caBundle } : value,
        ),
      );
      const mapping = createGroupMapping([{ virtual, real: groups[name], match: "group" }]);
      const options = { instance: name, namespace: name, mapping, image };
      const { documents, warnings } = injectProxy([...trusting, secret], options);
      assert.deepEqual(warnings, []);
      const stdin = JSON.stringify({ apiVersion: "v1", kind: "List", items: documents });
      await node.kubectl(["apply", "--filename=-"], { stdin });
    }

    const flocks = (name: Name, flock = "", version = "v1") =>
      `/apis/${groups[name]}/${version}/namespaces/${namespace.name}/flocks${flock && `/${flock}`}`;
    const create = (name: Name, flock: string, spec: object) =>
      node.request("POST", flocks(name), {
        body: { apiVersion: `${groups[name]}/v1`, kind: "Flock", metadata: { name: flock }, spec },
      });

    test("each reconciles its own objects by its own account, and sees no others", async () => {
      // The API server reaches the webhooks when kube-proxy has got to their Service.
      for (const name of names) {
        await waitFor(async () => (await create(name, "same", {})).status === 201, {
          what: `a flock of ${name} to be taken`,
          ...patience,
        });
      }
      for (const name of names) {
        const status = await waitFor(
          async () => {
            const { body } = await node.request("GET", flocks(name, "same"));
            return body.status?.birds === 2 ? body.status : undefined;
          },
          { what: `two birds by the webhook's default, counted by ${name}`, ...patience },
        );
        assert.deepEqual(status, { birds: 2, by: name, seen: 1 });
      }
    });

    test("each has its webhooks called through its Service", async () => {
      for (const name of names) {
        const { body } = await create(name, "crowd", { birds: 13 });
        assert.match(
          body.message,
          new RegExp(`no flock of ${groups[name]}/v1 has more than 12 birds`),
        );
        const { body: old } = await node.request("GET", flocks(name, "same", "v1alpha1"));
        assert.deepEqual(old.spec, { size: "2 birds" });
      }
    });

    test("a Job ends, though its proxy would go on", async () => {
      const job = {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "help" },
        spec: {
          template: {
            spec: {
              restartPolicy: "Never",
              containers: [{ name: "main", image: "example.com/aviary:v1", args: ["--help"] }],
            },
          },
        },
      };
      const mapping = createGroupMapping([{ virtual, real: groups.team1, match: "group" }]);
      const { name: image } = await rookeryImage();
      const options = { instance: "team1", namespace: "team1", mapping, image };
      const [stdin] = injectProxy([job], options).documents.map((document) =>
        JSON.stringify(document),
      );
      await node.kubectl(["apply", "--filename=-"], { ...(stdin && { stdin }) });
      const complete = ["job/help", "--for=condition=Complete", "--timeout=180s"];
      await node.kubectl(["wait", "--namespace=team1", ...complete]);
    });

    test("the app starts after its proxy, and goes on when the proxy is started again", async () => {
      const args = ["get", "pods", "--namespace=team1", "--output=json"];
      const pod = async () => JSON.parse(await node.kubectl(args)).items[0];
      const sidecar = async () => (await pod()).status.initContainerStatuses[0];
      const before = await pod();
      const [proxy] = before.status.initContainerStatuses;
      const [app] = before.status.containerStatuses;
      assert.ok(proxy.state.running.startedAt <= app.state.running.startedAt);
      const { name } = before.metadata;
      const kill = "process.kill(1, 'SIGTERM')";
      const container = ["exec", "--namespace=team1", name, "--container=rookery-proxy", "--"];
      await node.kubectl([...container, "node", "--eval", kill]).catch(() => {});
      await waitFor(
        async () => {
          const { ready, restartCount } = await sidecar();
          return ready && restartCount > proxy.restartCount;
        },
        { what: "the proxy to be back", ...patience },
      );
      await waitFor(async () => (await create("team1", "after", { birds: 1 })).status === 201, {
        what: "the webhooks to be called again",
        ...patience,
      });
      await waitFor(
        async () => {
          const { body } = await node.request("GET", flocks("team1", "after"));
          return body.status?.birds === 1;
        },
        { what: "the app to go on", ...patience },
      );
    });
  },
);
