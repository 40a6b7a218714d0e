import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { managerFlags, providerLabel } from "@rookery/components";
import { clusterApiProviders, clusterApiVersions, goModuleSource } from "@rookery/testing";
import { withoutGo } from "./go-programs.ts";

/** Flags that managers have of libraries: component-base's logs and gates, controller-runtime's. */
const ofLibraries = new Set(
  "kubeconfig feature-gates logging-format log-flush-frequency v vmodule log-json-split-stream log-json-info-buffer-size log-text-split-stream log-text-info-buffer-size".split(
    " ",
  ),
);
const declaration = /fs\.\w+Var\(&?[\w.]+,\s*"([a-z0-9-]+)",\s*(\d+)?/g;

describe("the table of flags", { skip: await withoutGo() }, () => {
  for (const version of clusterApiVersions) {
    for (const provider of clusterApiProviders) {
      test(`has just the flags of ${providerLabel(provider)} ${version}`, async () => {
        const source = await goModuleSource(`sigs.k8s.io/cluster-api@${version}`);
        const main = await readFile(await mainOf(source, provider.place), "utf8");
        const options = await readFile(join(source, "util/flags/manager.go"), "utf8");
        const declared = [...main.matchAll(declaration), ...options.matchAll(declaration)];
        const flags = managerFlags(providerLabel(provider), version);
        const names = declared.map(([, name = ""]) => name).sort();
        const own = [...flags.names].filter((name) => !ofLibraries.has(name)).sort();
        assert.deepEqual(own, names);
        assert.ok(flags.complete && [...ofLibraries].every((name) => flags.names.has(name)));
        for (const [, name = "", value] of declared) {
          const known = flags.concurrency.get(name);
          if (known !== undefined) assert.equal(known, Number(value), name);
        }
      });
    }
  }
});

async function mainOf(source: string, place: string): Promise<string> {
  const path = join(source, place, "main.go");
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere ? path : join(source, "core/main.go");
}
