import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createHttpClient } from "@rookery/http";
import { createTemporaryFolder, type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { request, text } from "./passing-world.ts";
import { type RunningProxy, startProxy } from "./start-proxy.ts";
import { startWebhookApp, type WebhookApp } from "./webhook-app.ts";
import { mapping, realGroup, virtualGroup, widget, widgetCrd } from "./widgets.ts";

const real = new RegExp(realGroup.replaceAll(".", "\\."));

describe("the API server calls an app's webhooks through the proxy", () => {
  let kubernetes: Kubernetes;
  let app: WebhookApp;
  let proxy: RunningProxy;
  let ca: string;
  const stack = new AsyncDisposableStack();

  before(async () => {
    kubernetes = stack.use(await startKubernetes({ private: true }));
    app = stack.use(await startWebhookApp());
    const folder = stack.use(await createTemporaryFolder("callbacks"));
    const caFile = join(folder.path, "callbacks.crt");
    proxy = stack.use(
      await startProxy(kubernetes.description.kubectl, [
        `--upstream=${kubernetes.kubeconfig}`,
        mapping,
        "--callback-bind-address=127.0.0.1:0",
        `--callback-upstream=${app.url}`,
        "--callback-upstream-insecure",
        "--callback-name=127.0.0.1",
        `--callback-ca-file-out=${caFile}`,
      ]),
    );
    ca = await readFile(caFile, "utf8");
    await install();
  });
  after(() => stack.disposeAsync());

  const clientConfig = (path: string) => ({
    url: `${proxy.callbackUrl}${path}`,
    caBundle: Buffer.from(ca).toString("base64"),
  });
  const create = (object: object) =>
    proxy.tryKubectl(["create", "-f", "-"], { stdin: JSON.stringify(object) });

  /** As the app installs itself: it knows nothing but its own group. */
  async function install(): Promise<void> {
    const crd = widgetCrd(virtualGroup);
    const webhook = { clientConfig: clientConfig("/convert"), conversionReviewVersions: ["v1"] };
    const conversion = { strategy: "Webhook", webhook };
    await created({ ...crd, spec: { ...crd.spec, conversion } });
    await created(configuration("Validating", "/validate"));
    await created(configuration("Mutating", "/mutate"));
    await waitFor(() => proxy.kubectl(["get", "widgets"]), { what: "widgets to be found" });
    // The API server takes a moment to know of webhooks.
    const isRefused = async () =>
      /size 13/.test((await create(widget("no", { size: 13 }))).output) &&
      app.asked.some((one) => one.startsWith("/mutate"));
    await waitFor(isRefused, { what: "the webhooks to be called" });
    await proxy.kubectl(["delete", "widgets", "--all"]);
  }

  async function created(object: object): Promise<void> {
    const { failed, output } = await create(object);
    assert.ok(!failed, output);
  }

  function configuration(kind: "Validating" | "Mutating", path: string) {
    const rule = {
      apiGroups: [virtualGroup],
      apiVersions: ["v1"],
      operations: ["CREATE", "UPDATE"],
      resources: ["widgets"],
    };
    return {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${kind}WebhookConfiguration`,
      metadata: { name: `shop${path.replace("/", "-")}` },
      webhooks: [
        {
          name: `widgets.${kind.toLowerCase()}.${virtualGroup}`,
          clientConfig: clientConfig(path),
          rules: [rule],
          sideEffects: "None",
          timeoutSeconds: 30,
          admissionReviewVersions: ["v1"],
        },
      ],
    };
  }

  test("which is asked about its own group, and whose patch is for the real one", async () => {
    await created(widget("good"));
    const path = `/apis/${realGroup}/v1/namespaces/default/widgets/good`;
    const { body } = await kubernetes.request("GET", path);
    assert.equal(body.apiVersion, `${realGroup}/v1`);
    // What is in annotations is the app's own business.
    assert.deepEqual(body.metadata.annotations, { owner: `${virtualGroup}/v1` });
    const reviews = app.asked.filter((one) => /"name":"good"/.test(one));
    assert.ok(reviews.some((one) => one.startsWith("/mutate")));
    assert.ok(reviews.some((one) => one.startsWith("/validate")));
  });

  test("whose refusal speaks of its own group to its user", async () => {
    const { failed, output } = await create(widget("bad", { size: 13 }));
    assert.ok(failed);
    assert.match(output, /denied the request: no shop\.example\.dev\/v1 of size 13/);
  });

  test("which converts between its own versions", async () => {
    await created({ ...widget("old"), apiVersion: `${virtualGroup}/v1beta1` });
    const seen = await proxy.kubectl([
      ...["get", `widgets.v1beta1.${virtualGroup}`, "old"],
      ...["-o", "jsonpath={.apiVersion}"],
    ]);
    assert.equal(seen, `${virtualGroup}/v1beta1`);
    assert.ok(
      app.asked.some((one) => /^\/convert .*"desiredAPIVersion":"shop.example.dev/.test(one)),
    );
  });

  test("and which never hears of the real group", () => {
    assert.ok(app.asked.length > 0);
    for (const one of app.asked) assert.doesNotMatch(one, real);
  });

  test("a review that cannot be read is refused, and the app is not asked", async () => {
    await using client = createHttpClient({ origin: proxy.callbackUrl, tls: { ca } });
    const before = app.asked.length;
    const headers = { "content-type": "application/json" };
    const half = Buffer.from('{"apiVersion":"admission.k8s.io/v1","request":{');
    const sent = request({ method: "POST", path: "/validate", headers, body: half });
    const response = await client.handler(sent);
    assert.equal(response.status, 400, await text(response));
    assert.equal(app.asked.length, before);
  });

  test("an app that is down is an error that says so", async () => {
    await app[Symbol.asyncDispose]();
    const { failed, output } = await create(widget("late"));
    assert.ok(failed);
    assert.match(output, /failed calling webhook.*no answer from the app's webhooks/s);
  });
});
