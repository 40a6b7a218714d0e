import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { processIdentity } from "@rookery/embedded-node";
import { runScript, type Script } from "../../test/process/script.ts";
import { waitFor } from "./wait-for.ts";

const endings: Record<string, (parent: Script) => void> = {
  "ends by itself without tidying up": (parent) => parent.process.stdin?.write("exit\n"),
  "dies of an uncaught error": (parent) => parent.process.stdin?.write("throw\n"),
  "gets SIGINT, as from Ctrl-C": (parent) => parent.process.kill("SIGINT"),
  "gets SIGTERM": (parent) => parent.process.kill("SIGTERM"),
  "gets SIGKILL": (parent) => parent.process.kill("SIGKILL"),
};

for (const [sentence, end] of Object.entries(endings)) {
  test(`nothing is left of a program that ${sentence}`, async () => {
    await using parent = runScript(new URL("../../test/process/parent.ts", import.meta.url));
    const { folder, child } = JSON.parse(await parent.line()) as { folder: string; child: number };
    const grandchild = await waitFor(
      async () => Number(await readFile(join(folder, "grandchild"), "utf8")) || undefined,
      {
        what: "the grandchild",
      },
    );
    assert.ok(processIdentity(child), "the child runs");
    assert.ok(processIdentity(grandchild), "the grandchild runs");

    end(parent);
    await parent.ended;

    const left = () => [child, grandchild].filter((pid) => processIdentity(pid));
    await waitFor(() => left().length === 0 && !existsSync(folder), {
      what: "children and folder to be gone",
      detail: () => `processes ${left()}, folder ${existsSync(folder)}`,
    });
  });
}
