import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  createTemporaryFolder,
  type Kubernetes,
  startKubernetes,
  type TemporaryFolder,
  waitFor,
} from "@rookery/testing";
import { AgingConcierge } from "./aging-concierge.ts";

const suffix = "rotation.concierge.example.com";
const requests = 1000;

describe("the serving certificate of a concierge", () => {
  let kubernetes: Kubernetes;
  let folder: TemporaryFolder;
  let concierge: AgingConcierge;

  before(async () => {
    kubernetes = await startKubernetes();
    folder = await createTemporaryFolder("rotation");
    concierge = await AgingConcierge.start({
      kubernetes,
      folder: folder.path,
      suffix,
      withKey: true,
    });
  });

  after(async () => {
    await concierge?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const group = `identity.concierge.${suffix}`;
  const path = `/apis/${group}/v1alpha1/whoamirequests`;
  const body = { apiVersion: `${group}/v1alpha1`, kind: "WhoAmIRequest" };
  /** "201", or what went wrong. */
  const ask = async () => {
    const answer = await kubernetes.request("POST", path, { body });
    return answer.status === 201 ? "201" : `${answer.status}: ${JSON.stringify(answer.body)}`;
  };

  async function caBundles(): Promise<string[]> {
    const names = ["login", "identity"].map((name) => `v1alpha1.${name}.concierge.${suffix}`);
    const answers = await Promise.all(
      names.map((name) =>
        kubernetes.request("GET", `/apis/apiregistration.k8s.io/v1/apiservices/${name}`),
      ),
    );
    return answers.map(({ body: service }) => service.spec.caBundle as string);
  }

  it("is replaced, with its authority, in the middle of 1,000 requests of which none is lost", async () => {
    const [before] = await caBundles();
    const statuses = new Map<string, number>();
    let count = 0;
    let afterwards = 0;
    const isOver = () => count >= requests && afterwards >= 100;
    const call = async () => {
      while (!isOver()) {
        const isRotated = concierge.authorities.length > 1;
        const status = await ask();
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        count += 1;
        if (isRotated) afterwards += 1;
      }
    };
    concierge.age();
    await Promise.all([call(), call(), call(), call(), concierge.reconnect(isOver)]);
    assert.deepEqual([...statuses.keys()], ["201"], JSON.stringify([...statuses]));
    assert.ok(count >= requests);
    assert.equal(concierge.authorities.length, 2, "another authority signs");
    // A new certificate is served first, and its bundle published then, in one service after another.
    await waitFor(
      async () => {
        const [login, identity] = await caBundles();
        return login === identity && login !== before;
      },
      { what: "both services to have the new bundle" },
    );
  });

  it("comes back as it was when its Secret is deleted", async () => {
    const bundles = await caBundles();
    const { namespace } = concierge.installed;
    await kubernetes.kubectl(["delete", "secret", "rookery-concierge-cert", "-n", namespace]);
    await concierge.secretRestored();
    assert.deepEqual(await caBundles(), bundles);
    assert.equal(await ask(), "201");
  });
});
