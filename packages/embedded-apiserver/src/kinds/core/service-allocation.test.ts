import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service, ServiceSpec } from "@rookery/api";
import type { StoreEntry, StoreEvent } from "@rookery/kube";
import { isInvalid, type KubeObject } from "@rookery/kube";
import { FakeClock } from "@rookery/testing";
import type { Store } from "../../store/store.ts";
import { ServiceAllocation } from "./service-allocation.ts";

/** A store of Services that tells of them as a real one does. */
class ServiceStore {
  readonly #entries = new Map<string, StoreEntry>();
  #listener: (event: StoreEvent) => void = () => {};

  put(service: Service): void {
    const name = service.metadata?.name ?? "";
    this.#tell(name, { object: service as KubeObject, name } as StoreEntry);
  }

  delete(service: Service): void {
    this.#tell(service.metadata?.name ?? "", undefined);
  }

  #tell(name: string, entry: StoreEntry | undefined): void {
    const previous = this.#entries.get(name);
    if (entry) this.#entries.set(name, entry);
    else this.#entries.delete(name);
    this.#listener({ revision: 1, entry, previous } as StoreEvent);
  }

  asStore(): Store {
    return {
      list: () => ({ entries: [...this.#entries.values()], revision: 1 }),
      watch: (_: string, __: number, listener: (event: StoreEvent) => void) => {
        this.#listener = listener;
        return { close: () => {} };
      },
    } as unknown as Store;
  }
}

function service(name: string, spec: ServiceSpec = {}, namespace = "a"): Service {
  return { metadata: { name, namespace }, spec: { type: "ClusterIP", ...spec } };
}

function allocationOf(
  serviceCidr: string,
  store = new ServiceStore(),
  now = () => new Date(0),
): ServiceAllocation {
  return new ServiceAllocation({ store: store.asStore(), serviceCidr, now }, () => 0);
}

test("addresses come from the upper part of the range, each once", () => {
  const allocation = allocationOf("10.0.0.0/24");
  const [a, b] = [service("a"), service("b")];
  allocation.allocate(a);
  allocation.allocate(b);
  assert.deepEqual(a.spec?.clusterIPs, ["10.0.0.17"]);
  assert.equal(b.spec?.clusterIP, "10.0.0.18");
});

test("the Service of the API server has the first address", () => {
  const own = service("kubernetes", {}, "default");
  allocationOf("10.0.0.0/24").allocate(own);
  assert.equal(own.spec?.clusterIP, "10.0.0.1");
});

test("an address that the store knows is not given again until it is free", () => {
  const store = new ServiceStore();
  const old = service("old", { clusterIPs: ["10.0.0.17"] });
  store.put(old);
  const allocation = allocationOf("10.0.0.0/24", store);
  const asking = service("new", { clusterIP: "10.0.0.17", clusterIPs: ["10.0.0.17"] });
  assert.throws(() => allocation.allocate(asking), isInvalid);
  store.delete(old);
  allocation.allocate(asking);
  assert.equal(asking.spec?.clusterIP, "10.0.0.17");
});

test("what was promised to a Service that was not stored is free again", () => {
  const allocation = allocationOf("10.0.0.0/24");
  const lost = service("lost");
  allocation.allocate(lost);
  allocation.release(lost);
  const next = service("next");
  allocation.allocate(next);
  assert.equal(next.spec?.clusterIP, "10.0.0.17");
});

test("a promise that nobody came back for is forgotten", async () => {
  const clock = new FakeClock();
  const allocation = allocationOf("10.0.0.0/24", undefined, clock.date);
  allocation.allocate(service("dry"));
  await clock.advance(61_000);
  const next = service("next");
  allocation.allocate(next);
  assert.equal(next.spec?.clusterIP, "10.0.0.17");
});

test("a full range says so", () => {
  const allocation = allocationOf("10.0.0.0/30");
  allocation.allocate(service("a"));
  allocation.allocate(service("b"));
  assert.throws(() => allocation.allocate(service("c")), /range is full/);
});

test("a port of the nodes is within its range and nobody else's", () => {
  const allocation = allocationOf("10.0.0.0/24");
  const taken = service("a", { type: "NodePort", ports: [{ port: 80 }] });
  allocation.allocate(taken);
  assert.equal(taken.spec?.ports?.[0]?.nodePort, 30_000);
  const ask = (nodePort: number) => () =>
    allocation.allocate(service("b", { type: "NodePort", ports: [{ port: 80, nodePort }] }));
  assert.throws(ask(30_000), /provided port is already allocated/);
  assert.throws(ask(80), /The range of valid ports is 30000-32767/);
});

test("a Service that was an external name gets an address, and one that had one keeps it", () => {
  const allocation = allocationOf("10.0.0.0/24");
  const old = service("a", { type: "ExternalName" });
  const changed = service("a");
  allocation.allocate(changed, old);
  assert.equal(changed.spec?.clusterIP, "10.0.0.17");
  const kept = service("a", { clusterIP: "10.0.0.17", clusterIPs: ["10.0.0.17"] });
  allocation.allocate(kept, changed);
  assert.equal(kept.spec?.clusterIP, "10.0.0.17");
});
