import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client, ResourceClient } from "@rookery/client";
import type { Resource } from "@rookery/kube";
import type { ListMethod } from "@rookery/runtime";
import {
  type CustomResourceDefinition,
  type Kubernetes,
  notOnEmbedded,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { adminClient, type Nest, nest, nestsCrd } from "./nests.ts";
import { RunningInformer } from "./running-informer.ts";

const group = "faults.testing.rookery.dev";
const resourceOf = (version: string): Resource => ({
  group,
  version,
  kind: "Nest",
  plural: "nests",
  singular: "nest",
  namespaced: true,
});
const crdPath = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/nests.${group}`;
const apiServicePath = `/apis/apiregistration.k8s.io/v1/apiservices/v2.${group}`;
const namespace = "default";

/** A trouble of the server's own making that passes when it is mended. */
interface Fault {
  readonly status: number;
  readonly lists: ListMethod;
  cause(): Promise<unknown>;
  mend(): Promise<unknown>;
}

const skip = await notOnEmbedded("it remembers over a restart what happened");

describe("an informer whose API server is in trouble", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let resource: ResourceClient<Nest>;
  before(async () => {
    kubernetes = await startKubernetes({ private: true, controllerManager: false });
    await kubernetes.applyCrd(twoVersions());
    client = await adminClient(kubernetes);
    resource = client.resource(resourceOf("v1"));
  });
  after(async () => {
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const send = async (method: string, path: string, body?: object) => {
    const answer = await kubernetes.request(method, path, { body });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
  };
  const convert = (conversion: object) => send("PATCH", crdPath, { spec: { conversion } });
  const reset = async () => {
    await resource.deleteCollection({ namespace });
    for (const name of ["kept", "changed", "deleted"]) {
      await resource.create(nestOf(name));
    }
  };
  const change = async () => {
    const patch = { spec: { eggs: 1 } };
    await resource.patch({ namespace, name: "changed" }, { type: "merge", patch });
    await resource.delete({ namespace, name: "deleted" });
    await resource.create(nestOf("created"));
  };

  const faults: Record<string, Fault> = {
    "answers 500, because objects cannot be converted": {
      status: 500,
      lists: "paged",
      cause: () => convert(nowhere),
      mend: () => convert({ strategy: "None", webhook: null }),
    },
    "answers 503, because who serves the version is not there": {
      status: 503,
      lists: "whole",
      cause: () => send("PATCH", apiServicePath, servedNowhere),
      mend: async () => {
        await send("DELETE", apiServicePath);
        // The version is served at once, by its CRD, and registered anew some time later.
        await waitFor(
          async () => (await kubernetes.request("GET", apiServicePath)).status === 200,
          {
            what: "the version to be registered",
          },
        );
      },
    },
    "answers 429, because it cannot fill its cache": {
      status: 429,
      lists: "streamed",
      cause: () => convert(nowhere),
      mend: () => convert({ strategy: "None", webhook: null }),
    },
  };
  const begin = (lists: ListMethod) =>
    RunningInformer.begin(kubernetes, { resource: resourceOf("v2"), lists, random: () => 0 });

  /** Causes trouble, waits until the server is in it, and mends it in any case. */
  async function inTrouble({ cause, mend }: Pick<Fault, "cause" | "mend">) {
    let mended: Promise<unknown> | undefined;
    const end = async () => {
      mended ??= mend();
      await mended;
    };
    await cause();
    const path = `/apis/${group}/v2/namespaces/${namespace}/nests`;
    const isThere = async () => (await kubernetes.request("GET", path)).status >= 429;
    await waitFor(isThere, { what: "the trouble" }).catch(async (error) => {
      await end();
      throw error;
    });
    return { end, [Symbol.asyncDispose]: end };
  }

  /** Until the server has said so three times; the informer asks no more often than it may. */
  async function troubled(running: RunningInformer, status: number): Promise<void> {
    const began = performance.now();
    const attempts = running.attempts.length;
    const told = () => running.told(status);
    await waitFor(
      () => {
        // It may take the server a while to know of its trouble.
        if (told() === 0) running.tap.breakBodies();
        return told() >= 3;
      },
      { what: `the server to say ${status} three times`, interval: 1_000 },
    );
    const seconds = (performance.now() - began) / 1000;
    const made = running.attempts.length - attempts;
    // The shortest back-off is 0.8 s.
    assert.ok(made <= 3 + seconds / 0.8, `${made} requests in ${seconds} s`);
  }

  for (const [what, { status, lists, cause, mend }] of Object.entries(faults)) {
    test(`lists in the end where the server ${what}`, async () => {
      await reset();
      await using trouble = await inTrouble({ cause, mend });
      await using running = await begin(lists);
      await troubled(running, status);
      assert.equal(running.informer.hasSynced, false);
      await change();
      await trouble.end();
      await running.assertCatchesUp(resource, namespace);
    });

    // Where it cannot convert, a watch is answered with 429.
    if (status === 500) continue;
    test(`keeps what it has and hears of all in the end where the server ${what}`, async () => {
      await reset();
      await using running = await begin(lists);
      await running.informer.waitForSync();
      await using trouble = await inTrouble({ cause, mend });
      await change();
      await troubled(running, status);
      assert.notEqual(running.informer.get({ namespace, name: "kept" }), undefined);
      await trouble.end();
      await running.assertCatchesUp(resource, namespace);
    });
  }

  test("lists again where the server has forgotten what happened since (410)", {
    skip,
  }, async () => {
    await reset();
    await using running = await RunningInformer.start(kubernetes, { resource: resourceOf("v2") });
    running.tap.cut();
    await change();
    // Its memory begins with its start.
    await kubernetes.apiServer.restart();
    const before = running.attempts.length;
    running.tap.mend();
    await running.assertCatchesUp(resource, namespace);
    const [resumed, ...rest] = running.attempts.slice(before).map(({ query }) => query);
    assert.match(resumed ?? "", /resourceVersion=\d/);
    assert.equal(running.told(410), 1);
    assert.equal(rest.filter((query) => !query.includes("watch=true")).length, 1);
    const unseen = running.events.events.filter(
      (event) => event.type === "delete" && event.deleteStateUnknown,
    );
    assert.equal(unseen.length, 1);
  });
});

function nestOf(name: string): Nest {
  return { ...nest({ namespace, name }), apiVersion: `${group}/v1` };
}

function twoVersions(): CustomResourceDefinition {
  const [v1] = nestsCrd.spec.versions as [object];
  const versions = [v1, { ...v1, name: "v2", storage: false }];
  const metadata = { name: `nests.${group}` };
  return { ...nestsCrd, metadata, spec: { ...nestsCrd.spec, group, versions } };
}

const nowhere = {
  strategy: "Webhook",
  webhook: { clientConfig: { url: "https://127.0.0.1:1/" }, conversionReviewVersions: ["v1"] },
};

/** Without the label, the server does not put it right by itself. */
const servedNowhere = {
  metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": null } },
  spec: { service: { namespace, name: "nowhere", port: 443 }, insecureSkipTLSVerify: true },
};
