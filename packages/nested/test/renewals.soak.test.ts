import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { parseCertificate } from "@rookery/pki";
import { waitFor, whyUnavailable } from "@rookery/testing";
import { managementUnavailable } from "./management.ts";
import { nestedImages, newer } from "./nested-images.ts";
import { NestedNode } from "./nested-node.ts";
import type { Tenant } from "./tenant.ts";
import { connectionOf, TenantTraffic } from "./tenant-traffic.ts";

const skip = (await managementUnavailable()) || (await whyUnavailable(nestedImages));
const minutes = (count: number) => count * 60_000;

/** The integration tier tells this of processes; here a kubelet brings the certificates to the pods. */
describe("certificates of a control plane in pods", { skip }, () => {
  let world: NestedNode;
  let tenant: Tenant;

  before(async () => {
    // By default a kubelet takes a minute and more to renew a mounted Secret: these last two.
    world = await NestedNode.start({ syncSeconds: 5 });
    tenant = world.tenant("tenant");
  });
  after(() => world?.[Symbol.asyncDispose]());

  it("are renewed twice while they are in use", async () => {
    await tenant.create({
      components: { apiserver: { version: newer }, controllerManager: { version: newer } },
      certificates: { leafValidity: "2m" },
    });
    await tenant.isUp();
    const expired: string[] = [];
    const connection = connectionOf((await tenant.secret("kubeconfig")).data.value ?? "");
    await using traffic = new TenantTraffic(connection);
    await waitFor(
      async () => {
        const { data } = await tenant.secret("apiserver-serving-cert");
        const { notAfter } = parseCertificate(data["tls.crt"] ?? "");
        if (notAfter < new Date()) expired.push(notAfter.toISOString());
        return traffic.served.size >= 3;
      },
      {
        what: "a certificate to be renewed twice",
        timeout: minutes(12),
        interval: 1_000,
        detail: () => `${traffic.served.size} were served`,
      },
    );
    await traffic[Symbol.asyncDispose]();
    assert.deepEqual(expired, [], "a certificate was not renewed in time");
    assert.deepEqual(traffic.failures, []);
    await tenant.isUp();
  });
});
