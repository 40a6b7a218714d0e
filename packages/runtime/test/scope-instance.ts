/** An instance of a provider that prints what it hears of nests, and in the end what came over its wire. */
import { createProvider, parseProviderFlags, setupSignalHandler } from "@rookery/runtime";
import { type Nest, nests } from "./nests.ts";
import { WireTap } from "./wire-tap.ts";

const flags = parseProviderFlags(process.argv.slice(2), {});
if (flags.help) process.exit(0);
const namespaces = ["watch1", "watch2", "watch3", "watch4"];
const wordOf = (namespace: string) => `"namespace":"${namespace}"`;
const tap = new WireTap(namespaces.map(wordOf));
const provider = await createProvider({
  name: "scope-instance",
  flags,
  transport: { interceptors: [tap.interceptor], userAgent: process.env.USER_AGENT ?? "" },
});
provider.cache.informerFor<Nest>(nests).addEventHandler((event) => {
  const { metadata } = event.type === "update" ? event.objectNew : event.object;
  console.log(`heard ${event.type} ${metadata.namespace}/${metadata.name}`);
});
provider.manager.add({
  name: "announcement",
  async start(signal) {
    console.log("ready");
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  },
});
await provider.run(setupSignalHandler());
for (const name of namespaces) console.log(`received ${name} ${tap.count(wordOf(name))}`);
