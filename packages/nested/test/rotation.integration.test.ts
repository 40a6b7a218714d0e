import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition } from "@rookery/kube";
import { splitCertificates } from "@rookery/pki";
import { waitFor } from "@rookery/testing";
import { managersDieUntil } from "./killed-managers.ts";
import { newer } from "./nested-images.ts";
import { NestedWorld, worldUnavailable } from "./nested-world.ts";
import { resources, type Tenant } from "./tenant.ts";
import { connectionOf, TenantTraffic } from "./tenant-traffic.ts";

const patience = 400_000;
/** Without a node there is nobody whom an endpoint of the tenant's own Service could lead to. */
const extraArgs = [{ name: "endpoint-reconciler-type", value: "none" }];
const authorities = ["ca", "etcd", "proxy"] as const;

describe("authorities of a control plane", { skip: await worldUnavailable() }, () => {
  const stack = new AsyncDisposableStack();
  let world: NestedWorld;
  let tenant: Tenant;

  before(async () => {
    world = stack.use(await NestedWorld.start({ core: "own" }));
    tenant = await world.tenant("penguin", "tenant");
    const managers = await world.startManagers();
    await tenant.create({
      components: {
        apiserver: { version: newer, service: { type: "LoadBalancer" }, extraArgs },
        controllerManager: { version: newer },
      },
    });
    await tenant.isUp();
    await managers[Symbol.asyncDispose]();
  });
  after(() => stack.disposeAsync());

  const certificatesOf = async (name: string) =>
    splitCertificates((await tenant.secret(name)).data["tls.crt"] ?? "");
  const connect = async () => connectionOf((await tenant.secret("kubeconfig")).data.value ?? "");

  it("are all replaced by one wish, by managers that die again and again, and no request is refused", async (context) => {
    const former = await Promise.all(authorities.map(certificatesOf));
    await using traffic = new TenantTraffic(connect);
    const rotateAfter = new Date().toISOString();
    await tenant.change(resources.controlPlanes, {
      certificates: { rotation: { overlap: "5s", rotateAfter } },
    });
    let last = "";
    const isReplaced = async () => {
      const all = await Promise.all(authorities.map(certificatesOf));
      const { status } = await tenant.controlPlane();
      last = JSON.stringify([
        getCondition(status?.conditions, "AuthoritiesCurrent"),
        traffic.failures,
      ]);
      return (
        all.every((one, index) => one.length === 1 && one[0] !== former[index]?.[0]) &&
        getCondition(status?.conditions, "AuthoritiesCurrent")?.reason === "Current"
      );
    };
    const done = waitFor(isReplaced, {
      what: "the authorities to be replaced",
      timeout: patience,
      interval: 1_000,
      detail: () => last,
    });
    const lives = await managersDieUntil(done, { world, writes: 15 });
    context.diagnostic(`${lives} managers`);
    stack.use(await world.startManagers());
    for (const name of ["etcd", "apiserver", "controllerManager"] as const) {
      await tenant.isUpToDate(name);
    }
    await tenant.isUp();
    await traffic[Symbol.asyncDispose]();
    assert.deepEqual(traffic.failures, []);
    assert.ok(traffic.served.size >= 3, "the API server did not change its certificate");
    assert.match(await tenant.kubectl(["get", "namespaces"]), /kube-system/);
  });
});
