import assert from "node:assert/strict";
import { readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { LogOptions } from "@rookery/apiserver";
import { createTemporaryFolder, waitFor } from "@rookery/testing";
import { ContainerLog, kubeletLogLimits } from "./container-log.ts";
import { readLog } from "./read-log.ts";

const plain: LogOptions = { follow: false, previous: false, timestamps: false };
const start = Date.parse("2026-01-01T00:00:00Z");

/** A log whose clock goes on by a second each line. */
function logIn(folder: string, limits = kubeletLogLimits) {
  let time = start;
  const now = () => {
    time += 1000;
    return new Date(time);
  };
  return new ContainerLog(join(folder, "0.log"), { now, limits });
}

async function textOf(log: ContainerLog, options: Partial<LogOptions> = {}): Promise<string> {
  const source = { path: log.path, live: log, now: () => start + 10_000 };
  const chunks: Buffer[] = [];
  const { signal } = new AbortController();
  for await (const chunk of readLog(source, { ...plain, ...options }, signal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("the log of a container", () => {
  it("has a time and a stream with each line, also where lines come in pieces", async () => {
    await using folder = await createTemporaryFolder("log");
    const log = logIn(folder.path);
    log.write("stdout", Buffer.from("one\ntw"));
    log.write("stderr", Buffer.from("bad\n"));
    log.write("stdout", Buffer.from("o\nrest"));
    log.close();
    assert.equal(
      await readFile(log.path, "utf8"),
      [
        "2026-01-01T00:00:01.000000000Z stdout F one",
        "2026-01-01T00:00:02.000000000Z stderr F bad",
        "2026-01-01T00:00:03.000000000Z stdout F two",
        "2026-01-01T00:00:04.000000000Z stdout F rest\n",
      ].join("\n"),
    );
    assert.equal(await textOf(log), "one\nbad\ntwo\nrest\n");
  });

  it("loses lines where the disk is full, and nobody ends for it", async () => {
    await using folder = await createTemporaryFolder("log");
    await symlink("/dev/full", join(folder.path, "0.log"));
    const log = logIn(folder.path);
    const heard = Promise.withResolvers<void>();
    log.onceChanged(heard.resolve);
    log.write("stdout", Buffer.from("one\n"));
    await heard.promise;
    log.close();
  });

  it("is read as the query says", async () => {
    await using folder = await createTemporaryFolder("log");
    const log = logIn(folder.path);
    log.write("stdout", Buffer.from("a\nb\nc\nd\n"));
    assert.equal(await textOf(log, { tailLines: 2 }), "c\nd\n");
    assert.equal(await textOf(log, { tailLines: 0 }), "");
    assert.equal(await textOf(log, { limitBytes: 3 }), "a\nb");
    assert.equal(await textOf(log, { sinceSeconds: 7 }), "c\nd\n");
    assert.equal(await textOf(log, { sinceTime: "2026-01-01T00:00:04Z" }), "d\n");
    const timed = await textOf(log, { tailLines: 1, timestamps: true });
    assert.equal(timed, "2026-01-01T00:00:04.000000000Z d\n");
  });

  it("keeps a line that is too long for one entry together", async () => {
    await using folder = await createTemporaryFolder("log");
    const log = logIn(folder.path);
    const long = "é".repeat(20_000);
    log.write("stdout", Buffer.from(`first\n${long}\n`));
    assert.match(await readFile(log.path, "utf8"), / stdout P é/);
    assert.equal(await textOf(log, { tailLines: 1 }), `${long}\n`);
  });

  it("is followed to its end, also over rotations", async () => {
    await using folder = await createTemporaryFolder("log");
    const log = logIn(folder.path, { fileBytes: 200, files: 3 });
    const source = { path: log.path, live: log, now: () => start };
    const { signal } = new AbortController();
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
    const writeSome = (count: number) => {
      for (const line of lines.splice(0, count)) log.write("stdout", Buffer.from(line));
    };
    const expected = lines.join("");
    let text = "";
    // Four lines fill a file: each time that all was read, it is rotated twice.
    writeSome(1);
    for await (const chunk of readLog(source, { ...plain, follow: true }, signal)) {
      text += chunk;
      writeSome(7);
      if (lines.length === 0) log.close();
    }
    assert.equal(text, expected);
    assert.equal((await readdir(folder.path)).length, 3);
  });

  it("is heard of also where it comes just when all was read", async () => {
    await using folder = await createTemporaryFolder("log");
    const log = logIn(folder.path);
    const source = { path: log.path, live: log, now: () => start };
    const stopping = new AbortController();
    let seen = "";
    const reader = readLog(source, { ...plain, follow: true }, stopping.signal);
    reader.on("data", (chunk: Buffer) => {
      seen += chunk;
    });
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}\n`);
    for (const line of lines) {
      // Between what the reader does, at any moment of it.
      for (let turns = Math.random() * 40; turns > 0; turns -= 1) await setImmediate();
      log.write("stdout", Buffer.from(line));
      for (let turns = 1000; turns > 0 && !seen.endsWith(line); turns -= 1) await setImmediate();
      if (!seen.endsWith(line)) await waitFor(() => seen.endsWith(line), { what: line });
    }
    log.close();
    assert.equal(seen, lines.join(""));
  });

  it("ends without an error where its folder goes with the pod", async () => {
    await using folder = await createTemporaryFolder("log");
    const log = logIn(join(folder.path, "pod"));
    log.write("stdout", Buffer.from("last words\n"));
    const source = { path: log.path, live: log, now: () => start };
    let text = "";
    const { signal } = new AbortController();
    for await (const chunk of readLog(source, { ...plain, follow: true }, signal)) {
      text += chunk;
      await rm(join(folder.path, "pod"), { recursive: true });
      log.close();
    }
    assert.equal(text, "last words\n");
  });
});
