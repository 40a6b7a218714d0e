import { test } from "node:test";
import { startKubernetes } from "@rookery/testing";
import { writeBesideWatchers } from "./slow-clients.ts";

test("two thousand watches that never read are cut off, and nobody notices", async () => {
  await using kubernetes = await startKubernetes({ flavour: "embedded", controllerManager: false });
  await writeBesideWatchers(kubernetes, { streams: 2000, sockets: 100 });
});
