import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { waitFor } from "@rookery/testing";
import type { CommandIo } from "../command.ts";
import type { Part } from "./part.ts";
import { showProgress } from "./progress.ts";

const part = (name: string): Part => ({ name, what: "a thing", objects: [], ready: [] });

function scene(terminal?: CommandIo["terminal"]) {
  const seen: string[] = [];
  const write = (text: string) => void seen.push(text);
  const io: CommandIo = {
    write,
    writeError: write,
    readInput: async () => "",
    env: { NO_COLOR: "1" },
    ...(terminal && { terminal }),
  };
  return { io, seen };
}

describe("progress", () => {
  it("is a line for each part that is there or missing, where no terminal is", () => {
    const { io, seen } = scene();
    const [core, vcenter, tenant] = [part("core"), part("vCenter"), part("tenant")];
    using progress = showProgress([core, vcenter, tenant], io, performance.now());
    progress.report(core, "coming", "Deployment core: 0 of 1 pods available");
    progress.report(core, "ready");
    progress.report(vcenter, "missing", "there is no Go");
    progress.report(tenant, "coming", "there is no such kind");
    assert.match(
      seen.join(""),
      /^ready {2}core, a thing, after \d+\.\d s\nwaits {2}vCenter, a thing: there is no Go\n$/,
    );
    assert.deepEqual(
      progress.coming().map(({ part: { name }, why }) => [name, why]),
      [["tenant", "there is no such kind"]],
    );
  });

  it("is told again and again, where no terminal is, and no more once it is settled", async () => {
    const { io, seen } = scene();
    const [core, vcenter] = [part("core"), part("vCenter")];
    using progress = showProgress([core, vcenter], io, performance.now(), 5);
    progress.report(core, "coming", "Deployment core: 0 of 1\npods available");
    progress.report(vcenter, "preparing", "Go builds it");
    assert.equal(progress.onlyPrepares(), false);
    await waitFor(() => seen.length >= 2, { what: "both to be told" });
    assert.deepEqual(seen.slice(0, 2), [
      "waits  core, a thing: Deployment core: 0 of 1 pods available\n",
      "waits  vCenter, a thing: Go builds it\n",
    ]);
    progress.report(core, "ready");
    assert.equal(progress.onlyPrepares(), true);
    progress.settle();
    seen.length = 0;
    progress.report(vcenter, "ready");
    assert.match(seen.join(""), /^ready {2}vCenter, a thing, after \d+\.\d s\n$/);
  });

  it("is drawn over itself on a terminal, and never wider than that", () => {
    const { io, seen } = scene({ columns: () => 40 });
    const core = part("core");
    const progress = showProgress([core, part("tenant")], io, performance.now());
    progress.report(core, "coming", "a long\nstory ".repeat(20));
    progress[Symbol.dispose]();
    assert.equal(seen.length, 2);
    const lines = stripVTControlCharacters(seen[1] ?? "")
      .trimEnd()
      .split("\n");
    assert.ok(seen[1]?.startsWith("\u001b[2A"));
    assert.equal(lines.length, 2);
    for (const line of lines) assert.ok(line.length <= 40, line);
  });
});
