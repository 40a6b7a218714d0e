import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "@rookery/runtime";
import { AuthorityExpiry } from "./metrics.ts";

test("the end of each authority is a metric, as long as there is the control plane", async () => {
  const metrics = createMetrics({ processMetrics: false });
  const expiry = new AuthorityExpiry(metrics);
  const name = "rookery_nested_authority_expiration_timestamp_seconds";
  const lines = async () =>
    (await metrics.registry.getSingleMetricAsString(name))
      .split("\n")
      .filter((line) => line.startsWith(`${name}{`));
  expiry.set("team/tenant", { ca: new Date(1000), proxy: new Date(2000) });
  expiry.set("other/tenant", { ca: new Date(3000) });
  expiry.set("team/tenant", {});
  assert.deepEqual(await lines(), [
    `${name}{namespace="team",name="tenant",authority="ca"} 1`,
    `${name}{namespace="team",name="tenant",authority="proxy"} 2`,
    `${name}{namespace="other",name="tenant",authority="ca"} 3`,
  ]);
  expiry.forget("team/tenant");
  assert.equal((await lines()).length, 1);
});
