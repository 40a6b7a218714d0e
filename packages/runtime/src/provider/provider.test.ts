import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ProviderFlagValues, parseProviderFlags } from "../flags/provider-flags.ts";
import { silentLogger } from "../logging/logger.ts";
import { createProvider } from "./provider.ts";

function flagsOf(...args: readonly string[]): ProviderFlagValues {
  const flags = parseProviderFlags(args, {});
  assert.ok(!flags.help);
  return flags;
}

const provider = (...args: readonly string[]) =>
  createProvider({ name: "test", flags: flagsOf(...args), logger: silentLogger });

describe("a provider", () => {
  it("refuses a suffix that it can't put on its groups, instead of leaving it out", async () => {
    await assert.rejects(provider("--api-group-suffix=team-a.example.com"), {
      code: "UnsupportedFlag",
    });
  });

  it("tells which kubeconfig is not there", async () => {
    await assert.rejects(provider("--kubeconfig=/nowhere/config"), /\/nowhere\/config/);
  });
});
