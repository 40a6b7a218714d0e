import { after, before, describe, it } from "node:test";
import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { SlowClients, work, writeBesideWatchers } from "./slow-clients.ts";

describe("clients that take their time", () => {
  let kubernetes: Kubernetes;

  before(async () => {
    kubernetes = await startKubernetes({ flavour: "embedded", controllerManager: false });
  });
  after(() => kubernetes?.[Symbol.asyncDispose]());

  it("in saying what they want keep nobody waiting", async () => {
    using clients = new SlowClients(kubernetes);
    clients.sayLittle();
    await work(kubernetes, "beside-slow-ones");
  });

  it("in reading what they watch are cut off, and take no memory for long", () =>
    writeBesideWatchers(kubernetes, { streams: 150, sockets: 10 }));
});
