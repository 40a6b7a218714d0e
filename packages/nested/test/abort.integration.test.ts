import assert from "node:assert/strict";
import { test } from "node:test";
import { createClientOver } from "@rookery/client";
import type { HttpRequest, HttpResponse } from "@rookery/http";
import { controllerReferenceTo, type KubeObject } from "@rookery/kube";
import { clusterApiSource, whyUnavailable } from "@rookery/testing";
import { PlaneWorld } from "./plane-world.ts";
import { resources } from "./tenant.ts";

const skip = await whyUnavailable(clusterApiSource);

/** A server that takes every write and answers none, until whoever asked gives up. */
class UnansweredWrites {
  readonly #signals = new Map<string, AbortSignal>();

  take({ method, path, signal }: HttpRequest): Promise<HttpResponse> {
    const [plural] = /nested[a-z]+/.exec(path) ?? [path];
    this.#signals.set(`${method} ${plural}`, signal);
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  get seen(): readonly string[] {
    return [...this.#signals.keys()].toSorted();
  }

  get waiting(): readonly string[] {
    return this.seen.filter((name) => !this.#signals.get(name)?.aborted);
  }
}

/** Of each controller one: those of control planes, defaults, clusters, and three components. */
const oneOfEach = [
  "PATCH nestedapiservers",
  "PATCH nestedclusters",
  "PATCH nestedcontrollermanagers",
  "PATCH nestedcontrolplanes",
  "PATCH nestedetcds",
  "POST nestedetcds",
];

test("a manager that stops gives up what each of its controllers has asked", {
  skip,
  timeout: 180_000,
}, async () => {
  await using world = await PlaneWorld.start();
  const writes = new UnansweredWrites();
  const place = { namespace: "silent", name: "tenant" };
  await world.makeNamespace(place.namespace);
  await world.makeCluster(place, { version: "v1.34.4" });
  const controlPlane = await world.controlPlane(place);
  for (const resource of [resources.etcd, resources.apiserver, resources.controllerManager]) {
    const { group, version, kind } = resource;
    await world.client.resource<KubeObject>(resource).create({
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { ...place, ownerReferences: [controllerReferenceTo(controlPlane)] },
    });
  }
  {
    await using _ = await world.startManagers((client) =>
      createClientOver((request) => {
        const isRead = request.method === "GET" || request.path.includes("/events");
        return isRead ? client.handler(request) : writes.take(request);
      }),
    );
    await world.waits("a write of each controller", async () =>
      oneOfEach.every((name) => writes.seen.includes(name)),
    );
  }
  assert.deepEqual(writes.waiting, []);
});
