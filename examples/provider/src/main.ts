/**
 * `main.ts manifests <image>` prints the manifests of an installation, for kubectl apply.
 * `main.ts manager [flags]` runs the controllers; `main.ts manager --help` prints the flags.
 */
import { clusterApiGroup } from "@rookery/cluster-api";
import {
  createProvider,
  FlagsError,
  flagsHelp,
  parseProviderFlags,
  providerFlags,
  readyWithCaches,
  setupSignalHandler,
} from "@rookery/runtime";
import { manifests } from "./install/manifests.ts";
import { names } from "./install/names.ts";
import { setupHosts } from "./setup.ts";

const [command, ...args] = process.argv.slice(2);
try {
  await run();
} catch (error) {
  if (!(error instanceof FlagsError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function run(): Promise<void> {
  const [image] = args;
  if (command === "manager") return runManager();
  if (command === "manifests" && image) {
    const list = { apiVersion: "v1", kind: "List", items: manifests(image) };
    return console.log(JSON.stringify(list, undefined, 2));
  }
  console.error("usage: main.ts manifests <image> | main.ts manager [flags]");
  process.exitCode = 2;
}

async function runManager(): Promise<void> {
  const flags = parseProviderFlags(args, {});
  if (flags.help) return console.log(flagsHelp(providerFlags));
  const apiGroup = { defaultSuffix: clusterApiGroup };
  const provider = await createProvider({ name: names.manager, flags, apiGroup });
  await setupHosts(provider);
  readyWithCaches(provider);
  await provider.run(setupSignalHandler());
}
