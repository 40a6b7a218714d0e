import assert from "node:assert/strict";
import { it } from "node:test";
import { createTemporaryFolder, type Kubernetes, startKubernetes } from "@rookery/testing";
import { RunningConcierge } from "./running-concierge.ts";

/** A busy machine holds up a request that long now and then, whatever is sent beside it. */
const quietMs = 1000;
const maxRatio = 4;
const maxRounds = 8;

const owners = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    return { apiVersion: "v1", kind: "Pod", name: `p${i}`, uid: `u${i}` };
  });

it("an anonymous TokenCredentialRequest that is costly to check keeps nobody waiting", async () => {
  await using kubernetes = await startKubernetes({ private: true, flavour: "embedded" });
  await using folder = await createTemporaryFolder("heavy");
  await using concierge = await RunningConcierge.start({
    kubernetes,
    folder: folder.path,
    suffix: "heavy.example.com",
    withKey: true,
  });
  const group = `/apis/${concierge.group("login")}/v1alpha1`;
  const ask = async (metadata: object, token: string) => {
    const body = {
      metadata,
      spec: { token, authenticator: { kind: "JWTAuthenticator", name: "a" } },
    };
    const path = `${group}/tokencredentialrequests`;
    const { status } = await kubernetes.request("POST", path, { body, as: "anonymous" });
    return status;
  };
  const [small, large] = [owners(700), owners(3100)];
  const { length } = JSON.stringify(small);
  let [ofPlain, ofHeavy] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // The least of several rounds counts: a busy machine only adds to them.
  for (let round = 0; round < maxRounds; round++) {
    const plain = await longestWait(kubernetes, group, () => ask({}, "x".repeat(length)));
    const heavy = await longestWait(kubernetes, group, () => ask({ ownerReferences: small }, "x"));
    const refused = await longestWait(kubernetes, group, async () => {
      assert.equal(await ask({ ownerReferences: large }, "x"), 413);
    });
    ofPlain = Math.min(ofPlain, plain);
    ofHeavy = Math.min(ofHeavy, Math.max(heavy, refused));
    if (ofHeavy <= maxRatio * Math.max(ofPlain, quietMs)) return;
  }
  assert.fail(`${ofHeavy} ms beside it, ${ofPlain} ms beside an ordinary one`);
});

/** In milliseconds, the longest of the GETs that are sent one after another meanwhile. */
async function longestWait(kubernetes: Kubernetes, path: string, work: () => Promise<unknown>) {
  let done = false;
  let longest = 0;
  const worked = work().finally(() => {
    done = true;
  });
  do {
    const start = performance.now();
    assert.equal((await kubernetes.request("GET", path)).status, 200);
    longest = Math.max(longest, performance.now() - start);
  } while (!done);
  await worked;
  return longest;
}
