import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { type RunningProxy, startProxy } from "./start-proxy.ts";
import { widgetCrd } from "./widgets.ts";

// The server is shared: no other test has this suffix.
const groups = {
  app: "shop.instances.dev",
  one: "shop.one.instances.example.com",
  two: "shop.two.instances.example.com",
  three: "shop.three.instances.example.com",
} as const;
const suffixOf = (group: string) => group.slice("shop.".length);

describe("several instances of an app in one cluster, each by its own proxy", () => {
  const stack = new AsyncDisposableStack();
  let kubernetes: Kubernetes;
  let proxies: Record<"one" | "two" | "three", RunningProxy>;

  before(async () => {
    kubernetes = stack.use(await startKubernetes());
    const { description, kubeconfig } = kubernetes;
    const start = async (group: string, ...more: string[]) => {
      const mapping = `--api-group-suffix=${suffixOf(groups.app)}=${suffixOf(group)}`;
      const args = [`--upstream=${kubeconfig}`, mapping, ...more];
      return stack.use(await startProxy(description.kubectl, args));
    };
    // The third one has not installed the app yet, nor is there a default instance.
    const [one, two, three] = await Promise.all([
      start(groups.one),
      start(groups.two),
      start(groups.three, `--hide-group=*.${suffixOf(groups.one)},${groups.two}`),
    ]);
    proxies = { one, two, three };
    for (const group of [groups.one, groups.two]) await install(group);
  });
  after(() => stack.disposeAsync());

  async function install(group: string): Promise<void> {
    const crd = widgetCrd(group);
    stack.defer(async () => {
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      await kubernetes.request("DELETE", `${path}/${crd.metadata.name}`);
    });
    await kubernetes.applyCrd(crd);
    const path = `/apis/${group}/v1/namespaces/default/widgets`;
    const metadata = { name: `of-${group.split(".")[1]}` };
    const body = { apiVersion: `${group}/v1`, kind: "Widget", metadata };
    await waitFor(
      async () => [201, 409].includes((await kubernetes.request("POST", path, { body })).status),
      { what: `a widget of ${group}` },
    );
  }

  /** Discovery of the API server follows a little later. */
  const eventually = async (proxy: RunningProxy, words: string, expected: RegExp | string) => {
    let output = "";
    const args = words.split(" ");
    await waitFor(
      async () => {
        ({ output } = await proxy.tryKubectl(args));
        return typeof expected === "string" ? output === expected : expected.test(output);
      },
      { what: `kubectl ${words}`, timeout: 60_000, detail: () => output },
    );
  };
  const raw = async (proxy: RunningProxy, path: string) =>
    JSON.parse(await proxy.kubectl(["get", "--raw", path]));

  for (const name of ["widgets", "widget", "wd", "shop", "Widget"]) {
    test(`kubectl get ${name} finds the instance's own objects`, async () => {
      for (const instance of ["one", "two"] as const) {
        const found = `widget.${groups.app}/of-${instance}\n`;
        await eventually(proxies[instance], `get ${name} -o name`, found);
      }
    });

    test(`kubectl get ${name} finds nothing before the instance has installed the app`, () =>
      eventually(
        proxies.three,
        `get ${name} -o name`,
        /the server doesn't have a resource type|no matches for kind/,
      ));
  }

  test("no list of groups and kinds has those of others", async () => {
    const { one } = proxies;
    const others = new RegExp(`${groups.two}|${groups.one}`);
    for (const words of ["api-resources", "api-versions", "get --raw /apis", "get --raw /"]) {
      const output = await one.kubectl(words.split(" "));
      assert.doesNotMatch(output, others, words);
      assert.match(output, /shop\.instances\.dev|apiGroups/, words);
    }
    for (const path of ["", "/v1"].map((version) => `/apis/${groups.two}${version}`)) {
      const { failed, output } = await one.tryKubectl(["get", "--raw", path]);
      assert.ok(failed && /NotFound|could not find/.test(output), output);
    }
  });

  test("OpenAPI has the instance's own group alone", async () => {
    const { one } = proxies;
    const reversed = groups.two.split(".").reverse().join(".");
    const own = "dev.instances.shop.v1.Widget";
    // The API server puts its documents together a while after a definition.
    await waitFor(async () => own in (await raw(one, "/openapi/v2")).definitions, {
      what: "OpenAPI of the app's group",
      timeout: 60_000,
    });
    await waitFor(
      async () => {
        const { body } = await kubernetes.request("GET", "/openapi/v2");
        return `${reversed}.v1.Widget` in body.definitions;
      },
      { what: "OpenAPI of the other instance's group", timeout: 60_000 },
    );
    const text = await one.kubectl(["get", "--raw", "/openapi/v2"]);
    assert.ok(!text.includes(groups.two) && !text.includes(reversed));
    const { paths } = await raw(one, "/openapi/v3");
    assert.ok(`apis/${groups.app}/v1` in paths);
    assert.ok(!Object.keys(paths).some((path) => path.includes(groups.two)));
    const document = await one.tryKubectl(["get", "--raw", `/openapi/v3/apis/${groups.two}/v1`]);
    assert.ok(document.failed, document.output);
    await eventually(one, "explain wd", /GROUP: +shop\.instances\.dev/);
  });

  test("the default instance is hidden like any other", async () => {
    await install(groups.app);
    await eventually(proxies.one, "get wd -o name", `widget.${groups.app}/of-one\n`);
    for (const words of ["get --raw /openapi/v2", "get --raw /openapi/v3", "api-resources"]) {
      const output = await proxies.one.kubectl(words.split(" "));
      assert.doesNotMatch(output, new RegExp(groups.one), words);
    }
  });
});
