import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { loadCertificateAuthority } from "@rookery/pki";
import {
  CommandFailedError,
  type Credentials,
  type Kubernetes,
  notOnEmbedded,
  runCommand,
  startKubernetes,
  type TestNamespace,
  type User,
  waitFor,
} from "@rookery/testing";
import { type Answered, askOver } from "./asking.ts";
import { type Extension, servingCertificate, startExtension } from "./extension.ts";
import { greetingGroup } from "./greetings.ts";

const group = "greetings.aggregation.testing.rookery.dev";
const base = `/apis/${group}/v1`;
const greeting = `apiVersion: ${group}/v1
kind: Greeting
metadata:
  name: first
spec:
  name: penguin
`;

const needsMergedV2 = await notOnEmbedded("its OpenAPI v2 has its own kinds alone");

describe("an API without a store, under API aggregation on a real Kubernetes", () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  let extension: Extension;
  let jane: User;

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("apiserver");
    extension = await startExtension({ kubernetes, namespace, group: greetingGroup(group) });
    jane = await kubernetes.user({ name: "jane", groups: ["developers"] });
  });

  after(async () => {
    await extension?.[Symbol.asyncDispose]();
    await namespace?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const asJane = (args: readonly string[], stdin = "") =>
    runCommand(kubernetes.description.kubectl, args, {
      stdin,
      env: { ...process.env, KUBECONFIG: jane.kubeconfig },
    });

  test("kubectl api-resources shows it", async () => {
    const shown = await waitFor(
      async () => {
        const text = await kubernetes.kubectl(["api-resources", `--api-group=${group}`]);
        return text.includes("greetings") && text;
      },
      { what: "the kind in discovery" },
    );
    assert.match(shown, /^greetings +grt +greetings\.aggregation\S+\/v1 +false +Greeting$/m);
  });

  test("kubectl create is answered", async () => {
    const args = ["create", "-f", "-", "-o", "jsonpath={.status.message}/{.status.user}"];
    const answer = await kubernetes.kubectl(args, { stdin: greeting });
    assert.equal(answer, "hello penguin/kubernetes-admin");
  });

  test("kubectl create says what a schema refuses", async () => {
    const bad = greeting.replace("name: penguin", 'name: ""');
    const args = ["create", "-f", "-", "--validate=false"];
    await assert.rejects(kubernetes.kubectl(args, { stdin: bad }), (error) => {
      assert.ok(error instanceof CommandFailedError);
      assert.match(error.message, /The Greeting "first" is invalid: spec\.name: Invalid value: ""/);
      return true;
    });
  });

  test("kubectl get finds none", async () => {
    assert.equal(await kubernetes.kubectl(["get", `greetings.${group}`, "-o", "name"]), "");
    const list = JSON.parse(await kubernetes.kubectl(["get", "--raw", `${base}/greetings`]));
    assert.deepEqual(list.items, []);
  });

  test("kubectl explain shows the schema", async () => {
    const shown = await waitFor(
      () => kubernetes.kubectl(["explain", "greetings.spec", `--api-version=${group}/v1`]),
      { what: "OpenAPI of the group" },
    );
    assert.match(shown, /name\t<string> -required-\n\s+Whom to greet\./);
    assert.match(shown, /times\t<integer>/);
  });

  test("the cluster's OpenAPI v2 has the kind", { skip: needsMergedV2 }, async () => {
    const kind = await waitFor(
      async () => {
        const { body } = await kubernetes.request("GET", "/openapi/v2");
        return body.definitions["dev.rookery.testing.aggregation.greetings.v1.Greeting"];
      },
      { what: "the kind in OpenAPI v2" },
    );
    assert.deepEqual(kind["x-kubernetes-group-version-kind"], [
      { group, kind: "Greeting", version: "v1" },
    ]);
  });

  test("who has no right is refused, and may do it once a role says so", async () => {
    await assert.rejects(
      asJane(["create", "-f", "-", "--validate=false"], greeting),
      /cannot create resource "greetings" in API group/,
    );
    const canI = ["auth", "can-i", "create", `greetings.${group}`];
    await assert.rejects(asJane(canI), { exitCode: 1 });
    const role = `greeters-${namespace.name}`;
    await kubernetes.kubectl([
      "create",
      "clusterrole",
      role,
      "--verb=create",
      `--resource=greetings.${group}`,
    ]);
    await kubernetes.kubectl([
      "create",
      "clusterrolebinding",
      role,
      `--clusterrole=${role}`,
      "--user=jane",
    ]);
    try {
      await waitFor(() => asJane(canI), { what: "the role to count" });
      const args = ["create", "-f", "-", "--validate=false", "-o", "jsonpath={.status.user}"];
      // The extension remembers a refusal for 10 seconds.
      const user = await waitFor(() => asJane(args, greeting), { what: "the right to create" });
      assert.equal(user, "jane");
    } finally {
      await kubernetes.kubectl(["delete", "clusterrole,clusterrolebinding", role]);
    }
  });

  describe("asked past the aggregator", () => {
    const askDirectly = (as: Credentials | undefined, headers: Record<string, string> = {}) =>
      askOver(
        { origin: extension.url, ca: extension.authority.certificate, ...(as && { as }) },
        `${base}/greetings`,
        { headers },
      );
    const forged = { "x-remote-user": "kubernetes-admin", "x-remote-group": "system:masters" };
    const pem = async (name: string): Promise<Credentials> => {
      const file = (suffix: string) =>
        readFile(join(kubernetes.description.folder, "pki", `${name}.${suffix}`), "utf8");
      return { certificate: await file("crt"), key: await file("key") };
    };
    const refusedAs = (user: string, { status, body }: Answered) => {
      assert.equal(status, 403);
      assert.equal(
        body.message,
        `greetings.${group} is forbidden: User "${user}" cannot list resource "greetings" in API group "${group}" at the cluster scope`,
      );
    };

    test("a user of the cluster is known by the certificate", async () => {
      refusedAs("jane", await askDirectly(jane));
      assert.equal((await askDirectly(kubernetes.admin)).status, 200);
    });

    test("a token of a service account is reviewed by the cluster", async () => {
      const token = (
        await kubernetes.kubectl(["create", "token", "default", "-n", namespace.name])
      ).trim();
      const answer = await askDirectly(undefined, { authorization: `Bearer ${token}` });
      refusedAs(`system:serviceaccount:${namespace.name}:default`, answer);
      const bad = await askDirectly(undefined, { authorization: "Bearer nonsense" });
      assert.equal(bad.status, 401);
    });

    test("headers of a front proxy count with its certificate alone", async () => {
      refusedAs("system:anonymous", await askDirectly(undefined, forged));
      refusedAs("jane", await askDirectly(jane, forged));
      const frontProxy = await pem("front-proxy-client");
      assert.equal((await askDirectly(frontProxy, forged)).status, 200);
      refusedAs("eve", await askDirectly(frontProxy, { "x-remote-user": "eve" }));
    });

    test("a certificate of the front proxies' authority under another name is refused", async () => {
      const { certificate, key } = await pem("front-proxy-ca");
      const authority = await loadCertificateAuthority({ certificate, key });
      const other = await authority.issue({ commonName: "someone-else", usages: ["client"] });
      assert.equal((await askDirectly(other, forged)).status, 401);
    });
  });

  test("a serving certificate is replaced while requests go on", async () => {
    const ask = async () => {
      const { status } = await kubernetes.request("GET", `${base}/greetings`);
      return status;
    };
    const host = new URL(extension.url).hostname;
    const tls = await servingCertificate(extension.authority, { namespace: namespace.name, host });
    const before = await Promise.all(Array.from({ length: 20 }, ask));
    extension.serving.replaceCertificate(tls);
    const later = await Promise.all(Array.from({ length: 20 }, ask));
    assert.deepEqual([...new Set([...before, ...later])], [200]);
  });

  test("health is everyone's to see", async () => {
    const target = { origin: extension.url, ca: extension.authority.certificate };
    const { text } = await askOver(target, "/readyz?verbose");
    assert.equal(text, "[+]ping ok\n[+]shutdown ok\nreadyz check passed\n");
    assert.equal((await askOver(target, "/metrics")).status, 403);
  });
});
