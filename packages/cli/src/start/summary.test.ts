import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { type CommandIo, commands } from "../command.ts";
import type { PartState } from "./progress.ts";
import { commandsToTry, formatSummary } from "./summary.ts";
import { tenantPart, vsphereTenants } from "./tenants.ts";

test("what is said to be tried are commands that there are, for a kubeconfig of any name", () => {
  const [first = "", ...others] = commandsToTry({
    kubeconfig: "/home/me/it's here/kubeconfig",
    rookery: "rookery",
  });
  assert.equal(first, "export KUBECONFIG='/home/me/it'\\''s here/kubeconfig'");
  assert.equal(others.length, 3);
  for (const line of others) {
    assert.ok(
      commands.some(
        ({ name }) => line.startsWith(`rookery ${name} `) || line === `rookery ${name}`,
      ),
      line,
    );
  }
});

function summaryAt(columns: number, states: readonly PartState[]): string {
  const io: CommandIo = {
    write: () => {},
    writeError: () => {},
    readInput: async () => "",
    env: { NO_COLOR: "1" },
    terminal: { columns: () => columns },
  };
  const where = { kubeconfig: "/data/kubeconfig", rookery: "rookery", isEmbedded: true };
  return formatSummary({ ...where, states }, io);
}

describe("what is said of the clusters of tenants", () => {
  const noGo = "no vCenter: there is no Go on this machine to build it with; install Go 1.25";
  const state = (tenant: string, is: PartState["is"], why = ""): PartState => ({
    part: { name: tenantPart(tenant), what: "", objects: [], ready: [] },
    is,
    why,
  });
  const rows: Record<string, [is: PartState["is"], why: string, said: string]> = {
    "those that are ready are Provisioned": [
      "ready",
      "",
      "Clusters of adelie, chinstrap, gentoo are Provisioned: they have no machines, and NoMachines is expected.",
    ],
    "those without a vCenter wait, and the reason is named": [
      "missing",
      noGo,
      `Clusters of adelie, chinstrap, gentoo have no infrastructure and wait: no vCenter: there is no Go on this machine to build it with; install Go 1.25.`,
    ],
    "those whose vCenter is still built become Provisioned": [
      "preparing",
      "Go builds it",
      "Clusters of adelie, chinstrap, gentoo become Provisioned once their infrastructure is ready: they have no machines, and NoMachines is expected.",
    ],
  };
  for (const [sentence, [is, why, said]] of Object.entries(rows)) {
    it(sentence, () => {
      const states = [
        state("emperor", "ready"),
        ...vsphereTenants.map((one) => state(one, is, why)),
      ];
      const text = summaryAt(80, states);
      assert.ok(text.replaceAll(/\s+/g, " ").endsWith(` ${said} `), text);
      for (const line of text.split("\n")) assert.ok(line.length <= 80, line);
      assert.equal(text.includes("Provisioned"), is !== "missing");
    });
  }
});
