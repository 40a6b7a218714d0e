import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { notOnEmbedded, waitFor } from "@rookery/testing";
import type { KubectlOptions } from "./start-proxy.ts";
import { normalize, startTwoWorlds, type TwoWorlds } from "./two-worlds.ts";
import { virtualGroup, widget, widgetCrd } from "./widgets.ts";

const json = (...objects: readonly object[]): KubectlOptions => ({
  stdin: objects.map((one) => JSON.stringify(one)).join("\n---\n"),
});

const needsQuotas = await notOnEmbedded("it has no ResourceQuota");

describe("kubectl's working day, once directly and once through the proxy", () => {
  let worlds: TwoWorlds;
  before(async () => {
    worlds = await startTwoWorlds();
  });
  after(() => worlds?.[Symbol.asyncDispose]());

  /** Both say the same; returns it. */
  async function kubectl(args: string, options?: KubectlOptions): Promise<string> {
    const words = args.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", "")) ?? [];
    const { direct, renamed } = await worlds.kubectl(words, options);
    assert.equal(renamed, direct, `kubectl ${args}`);
    return direct;
  }

  /** Both say the same in the end. */
  const eventually = (args: string, expected: RegExp) =>
    waitFor(async () => expected.test(await kubectl(args)), {
      what: `kubectl ${args}`,
      timeout: 180_000,
    });

  test("a CRD is applied, and its kinds are found", async () => {
    const crd = widgetCrd(virtualGroup);
    assert.match(await kubectl("apply -f -", json(crd)), /widgets\.shop\.example\.dev created/);
    // As long as it has no conditions at all, kubectl does not wait for one.
    await eventually(`get crd widgets.${virtualGroup} -o jsonpath={.status.conditions}`, /True/);
    await kubectl(`wait --for=condition=Established crd/widgets.${virtualGroup} --timeout=120s`);
    await eventually(
      `api-resources --api-group=${virtualGroup}`,
      /widgets +wd +shop.example.dev\/v1/,
    );
    assert.match(await kubectl("get crd"), /^widgets\.shop\.example\.dev/m);
    assert.match(
      await kubectl(`get crd widgets.${virtualGroup} -o yaml`),
      /group: shop.example.dev/,
    );
    await kubectl(`get crd widgets.${virtualGroup} -o json`);
    await kubectl(`describe crd widgets.${virtualGroup}`);
    await kubectl(`get crd --field-selector=metadata.name=widgets.${virtualGroup} -o name`);
  });

  test("discovery and documentation speak of the app's group", async () => {
    assert.match(await kubectl("api-versions"), /^shop.example.dev\/v1$/m);
    await kubectl("api-resources");
    await kubectl("api-resources --categories=shop -o name");
    await eventually("explain widgets", /GROUP: +shop\.example\.dev/);
    assert.match(await kubectl("explain widget.spec --recursive"), /size/);
    await eventually(`explain widgets --api-version=${virtualGroup}/v1beta1`, /VERSION: +v1beta1/);
    await kubectl(`get --raw /apis/${virtualGroup}`);
    await kubectl(`get --raw /apis/${virtualGroup}/v1`);
    await kubectl("get --raw /apis");
  });

  test("objects are created, applied and seen in every form", async () => {
    await kubectl("create namespace day");
    // What is in every namespace is in both before they are compared.
    await eventually("get configmap -n day -o name", /kube-root-ca/);
    await kubectl("config set-context --current --namespace=day");
    assert.match(
      await kubectl("create -f -", json(widget("a"))),
      /widget.shop.example.dev\/a created/,
    );
    assert.match(await kubectl("apply -f -", json(widget("b"), widget("c"))), /c created/);
    assert.match(await kubectl("apply -f -", json(widget("b", { size: 7 }))), /b configured/);
    assert.match(await kubectl("apply -f -", json(widget("b", { size: 7 }))), /b unchanged/);
    for (const form of [
      "wide",
      "yaml",
      "json",
      "name",
      "custom-columns=A:.apiVersion,N:.metadata.name",
    ]) {
      await kubectl(`get widgets -o ${form}`);
      await kubectl(`get wd b -o ${form} --show-managed-fields`);
    }
    assert.match(await kubectl("get widgets"), /^NAME +SIZE\n/);
    await kubectl(`get widgets.${virtualGroup} --show-labels`);
    await kubectl(`get widgets.v1beta1.${virtualGroup} -o yaml`);
    await kubectl("get shop -A");
    await kubectl("get widget,configmap -o name");
    await kubectl("describe widget b");
    await kubectl("get widgets --chunk-size=1 -o name");
    await kubectl(`get --raw /apis/${virtualGroup}/v1/namespaces/day/widgets/b`);
  });

  test("server-side apply keeps its managers apart, and says where they conflict", async () => {
    const mine = (size: number) => json(widget("ssa", { size }));
    assert.match(await kubectl("apply --server-side -f -", mine(4)), /serverside-applied/);
    const other = "apply --server-side --field-manager=other -f -";
    assert.match(await kubectl(other, mine(5)), /^failed: .*conflict/s);
    assert.match(await kubectl(`${other} --force-conflicts`, mine(5)), /serverside-applied/);
    await kubectl("get widget ssa -o yaml --show-managed-fields");
  });

  test("a diff shows what an apply would change, and nothing where it would not", async () => {
    assert.match(await kubectl("diff -f -", json(widget("b", { size: 9 }))), /\+ *size: 9/);
    assert.equal(await kubectl("diff -f -", json(widget("b", { size: 7 }))), "");
    await kubectl("diff --server-side -f -", json(widget("b", { size: 9 })));
  });

  test("patches, labels, annotations, scale, replace, edit and set change objects", async () => {
    await kubectl(`patch widget a --type=merge -p '{"spec":{"size":5}}'`);
    await kubectl(
      `patch widget a --type=json -p '[{"op":"test","path":"/apiVersion","value":"${virtualGroup}/v1"},{"op":"replace","path":"/spec/size","value":6}]' -o yaml`,
    );
    assert.match(
      await kubectl(`patch widget a -p '{"spec":{"size":5}}'`),
      /^failed: .*strategic/is,
    );
    await kubectl("label widget a tier=front -o yaml");
    await kubectl("get widgets -l tier=front -o name");
    await kubectl("annotate widget a note=seen");
    assert.match(await kubectl("scale widget a --replicas=3"), /widget.shop.example.dev\/a scaled/);
    await kubectl(`get --raw /apis/${virtualGroup}/v1/namespaces/day/widgets/a/scale`);
    await kubectl("replace -f -", json(widget("c", { size: 1 })));
    const env = { KUBE_EDITOR: "sed -i 's/size: .*/size: 8/'" };
    assert.match(await kubectl("edit widget c", { env }), /c edited/);
    assert.match(await kubectl("get widget c"), /8/);
    await kubectl("get widget c --subresource=status -o yaml");
  });

  test("a wait ends when a condition holds", async () => {
    const status = '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}';
    await kubectl(`patch widget a --subresource=status --type=merge -p '${status}'`);
    assert.match(await kubectl("wait widget/a --for=condition=Ready"), /condition met/);
    await kubectl("wait widget/a --for=jsonpath={.spec.replicas}=3");
  });

  test("rights are asked for and given under the app's group", async () => {
    assert.equal(await kubectl(`auth can-i list widgets.${virtualGroup}`), "yes\n");
    await kubectl(`create role r --verb=get,list --resource=widgets.${virtualGroup}`);
    assert.match(await kubectl("get role r -o yaml"), /- shop\.example\.dev/);
    await kubectl("create rolebinding r --role=r --serviceaccount=day:default");
    const as = "--as=system:serviceaccount:day:default";
    assert.match(await kubectl(`auth can-i list widgets.${virtualGroup} ${as}`), /^failed|yes/);
    await kubectl("auth can-i --list");
    await kubectl("describe role r");
  });

  test("quotas count under the app's group", { skip: needsQuotas }, async () => {
    await kubectl("create namespace quotas");
    await kubectl(`create quota q -n quotas --hard=count/widgets.${virtualGroup}=9 -o yaml`);
    const hard = await kubectl("get quota q -n quotas -o jsonpath={.spec}");
    assert.match(hard, /count\/widgets\.shop\.example\.dev/);
  });

  test("events are found by the object that they are about", async () => {
    const about = { apiVersion: `${virtualGroup}/v1`, kind: "Widget", name: "a", namespace: "day" };
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "sold" },
      involvedObject: about,
      reason: "Sold",
      message: "it is gone",
      type: "Normal",
    };
    await kubectl("create -f -", json(event));
    assert.match(await kubectl("events --for=widget/a"), /Sold +widget\/a/i);
    assert.match(await kubectl("get events -o yaml"), /apiVersion: shop\.example\.dev\/v1/);
    const selector = `involvedObject.apiVersion=${virtualGroup}/v1`;
    assert.match(await kubectl(`get events --field-selector=${selector} -o name`), /event\/sold/);
  });

  test("failures speak of the app's group", async () => {
    assert.match(await kubectl("get widget none"), /widgets\.shop\.example\.dev "none" not found/);
    const invalid = await kubectl("create -f -", json(widget("bad", { size: 1000 })));
    assert.match(invalid, /The Widget "bad" is invalid/);
    assert.match(await kubectl("create -f -", json(widget("a"))), /"a" already exists/);
    const other = { ...widget("x"), apiVersion: `${virtualGroup}/v9` };
    assert.match(await kubectl("create -f -", json(other)), /no matches for kind "Widget"/);
  });

  test("a watch tells of every change", async () => {
    const watches = [worlds.direct, worlds.renamed].map((proxy) => ({
      proxy,
      watch: proxy.followKubectl(
        "get widgets -w --output-watch-events -o yaml --field-selector=metadata.name!=a".split(" "),
      ),
    }));
    // What is there comes first: whatever happens from then on is told.
    for (const { watch } of watches) {
      await waitFor(() => /^ +name: ssa$/m.test(watch.output), {
        what: "the watch to begin",
        detail: () => watch.output,
      });
    }
    await kubectl("create -f -", json(widget("seen")));
    await kubectl("scale widget seen --replicas=4");
    await kubectl("delete widget seen");
    for (const { watch } of watches) {
      await waitFor(() => /type: DELETED/.test(watch.output), {
        what: "the watch",
        detail: () => watch.output,
      });
      await watch[Symbol.asyncDispose]();
    }
    const [direct, renamed] = watches.map(({ proxy, watch }) => normalize(watch.output, proxy));
    assert.equal(renamed, direct);
    assert.match(direct ?? "", /apiVersion: shop\.example\.dev\/v1/);
  });

  test("a deletion takes dependents along, or leaves them", async () => {
    for (const name of ["owner", "keeper"]) {
      await kubectl("create -f -", json(widget(name)));
      await Promise.all(
        [worlds.direct, worlds.renamed].map(async (proxy) => {
          const uid = await proxy.kubectl([
            "get",
            "widget",
            name,
            "-o",
            "jsonpath={.metadata.uid}",
          ]);
          const owner = { apiVersion: `${virtualGroup}/v1`, kind: "Widget", name, uid };
          const metadata = { name: `of-${name}`, ownerReferences: [owner] };
          const map = { apiVersion: "v1", kind: "ConfigMap", metadata };
          await proxy.kubectl(["create", "-f", "-"], { stdin: JSON.stringify(map) });
        }),
      );
    }
    assert.match(await kubectl("get cm of-owner -o yaml"), /apiVersion: shop\.example\.dev\/v1/);
    await kubectl("delete widget owner --cascade=foreground");
    await eventually("get cm of-owner", /not found/);
    await kubectl("delete widget keeper --cascade=orphan");
    await eventually("get cm of-keeper -o yaml", /^(?!.*ownerReferences)/s);
  });

  test("a Deployment is rolled out beside it all", async () => {
    // Its controller counts what it sees: of two changes at once it would make one revision.
    const revised = (revision: number) =>
      eventually(
        "get deployment d -o jsonpath={.metadata.annotations}",
        new RegExp(`"${revision}"`),
      );
    await kubectl("create deployment d --image=none");
    await revised(1);
    await kubectl("rollout restart deployment d");
    await revised(2);
    await kubectl("set image deployment/d none=other");
    await eventually("get deployment d -o yaml", /deployment.kubernetes.io\/revision: "3"/);
    await kubectl("rollout undo deployment d");
    await eventually("rollout history deployment d", /4/);
    await kubectl("delete deployment d");
  });

  test("everything is deleted, the CRD last", async () => {
    await kubectl("delete widgets --all");
    assert.match(await kubectl("get widgets"), /^$|No resources/);
    await kubectl(`delete crd widgets.${virtualGroup}`);
    await eventually(`get --raw /apis/${virtualGroup}`, /^failed: .*not found|could not find/s);
    await kubectl("delete namespace day quotas --wait=false");
  });
});
