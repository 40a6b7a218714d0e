import { createClient, loadConfig } from "@rookery/client";
import { silentLogger } from "@rookery/runtime";
import { startNode } from "../src/start-node.ts";
import { shellImages } from "./node-scene.ts";

/** A node as a process of its own, which a test may kill. */
const [kubeconfig = "", server = "", name = "", folder = "", podCidr = ""] = process.argv.slice(2);
const client = createClient(await loadConfig({ path: kubeconfig }));
const { hostname, port } = new URL(server);
await startNode({
  name,
  version: "v1.34.4",
  client,
  folder,
  podCidr,
  images: shellImages,
  logger: silentLogger,
  api: { host: hostname, port: Number(port), ca: () => "" },
  now: () => new Date(),
  onError: (error) => process.stderr.write(`${error}\n`),
});
process.stdout.write("the node is ready\n");
