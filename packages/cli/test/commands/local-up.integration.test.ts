import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isRunning } from "@rookery/local";
import { createTemporaryFolder, waitFor } from "@rookery/testing";
import { podsWarning } from "../../src/local/messages.ts";
import { currentRun, lastRun } from "../../src/local/run-file.ts";
import { rookery } from "../../src/program.ts";

/** A data folder, and the commands that are about it. Whatever runs with it is ended. */
async function localScene(answer?: string) {
  const folder = await createTemporaryFolder("local-up");
  const data = join(folder.path, "data");
  const run = async (command: string, ...args: readonly string[]) => {
    const seen = { output: "", errors: "" };
    const code = await rookery(["local", command, "--data", data, ...args], {
      write: (text) => {
        seen.output += text;
      },
      writeError: (text) => {
        seen.errors += text;
      },
      readInput: async () => "",
      ...(answer !== undefined && { ask: async () => answer }),
      env: process.env,
    });
    return { code, ...seen };
  };
  return {
    data,
    run,
    async status() {
      return JSON.parse((await run("status", "-o", "json")).output);
    },
    async [Symbol.asyncDispose]() {
      await run("down");
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe("rookery local up", () => {
  it("starts once, is found again, ends in order and finds its data after kill -9", async () => {
    await using scene = await localScene();
    const first = await scene.run("up", "--port", "0");
    assert.equal(first.errors, podsWarning());
    assert.match(first.output, new RegExp(`export KUBECONFIG=${scene.data}/kubeconfig`));
    const run = currentRun(scene.data);
    assert.ok(run);
    const status = await scene.status();
    assert.equal(status.running, true);
    assert.equal(status.pid, run.pid);
    assert.deepEqual(status.node, { name: "rookery", ready: true });

    const again = await scene.run("up");
    assert.match(again.output, /runs already/);
    assert.equal(again.errors, "", "nothing is started, and nobody warned");
    assert.equal(currentRun(scene.data)?.pid, run.pid);
    assert.deepEqual(JSON.parse((await scene.run("up", "-o", "json")).output), run);
    const elsewhere = await scene.run("up", "--port", String((run.port % 60_000) + 1024));
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.errors, new RegExp(`it runs already, on port ${run.port}`));

    process.kill(run.pid, "SIGKILL");
    await waitFor(async () => !isRunning(run), { what: "the process to be gone" });
    assert.equal((await scene.status()).running, false);
    const authority = readFileSync(join(scene.data, "pki", "ca.crt"), "utf8");
    assert.equal((await scene.run("up")).errors, podsWarning());
    const second = currentRun(scene.data);
    assert.equal(second?.port, run.port);
    assert.equal(readFileSync(join(scene.data, "pki", "ca.crt"), "utf8"), authority);

    const down = await scene.run("down");
    assert.match(down.output, new RegExp(`Ended process ${second?.pid} and all its pods`));
    assert.ok(existsSync(join(scene.data, "store.sqlite")));
    assert.match((await scene.run("down")).output, /Nothing runs/);
    const nothing = JSON.parse((await scene.run("down", "-o=json")).output);
    assert.deepEqual([nothing.folder, nothing.pid], [scene.data, undefined]);
  });

  it("is one where two start at the same time", async () => {
    await using scene = await localScene();
    const both = await Promise.all([
      scene.run("up", "--port", "0"),
      scene.run("up", "--port", "0"),
    ]);
    assert.deepEqual(
      both.map(({ errors }) => errors),
      [podsWarning(), podsWarning()],
    );
    const { pid } = await scene.status();
    for (const { output } of both) assert.match(output, new RegExp(`\\(process ${pid}\\)`));
  });

  it("names a port that is taken, and the way out", async () => {
    await using scene = await localScene();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, errors } = await scene.run("up", "--port", String(port));
    taken.close();
    assert.equal(code, 1);
    assert.match(errors, new RegExp(`could not listen on 127.0.0.1:${port}: .* by --port`));
    assert.equal(lastRun(scene.data), undefined);
  });
});

describe("a folder of something else", () => {
  it("is neither used nor removed", async () => {
    await using scene = await localScene();
    await mkdir(scene.data);
    writeFileSync(join(scene.data, "thesis.txt"), "all of it");
    const up = await scene.run("up");
    assert.match(up.errors, /it holds files of something else; take an empty folder/);
    const reset = await scene.run("reset", "--yes");
    assert.match(reset.errors, /it holds files of something else/);
    assert.equal(readFileSync(join(scene.data, "thesis.txt"), "utf8"), "all of it");
  });

  it("is refused where nobody may write", { skip: process.getuid?.() === 0 }, async () => {
    await using scene = await localScene();
    await mkdir(scene.data);
    chmodSync(scene.data, 0o500);
    assert.match((await scene.run("up")).errors, /you may not write there; take another folder/);
    chmodSync(scene.data, 0o700);
  });

  it("is refused where a part of it is a file", async () => {
    await using scene = await localScene();
    writeFileSync(scene.data, "");
    assert.match((await scene.run("up")).errors, /it is a file; take another folder by --data/);
  });
});

describe("rookery local reset", () => {
  it("removes what is Rookery's, and leaves what is not", async () => {
    await using scene = await localScene("yes");
    await scene.run("up", "--port", "0");
    writeFileSync(join(scene.data, "notes.txt"), "mine");
    const { output } = await scene.run("reset");
    assert.match(output, /notes\.txt stayed, which is not Rookery's/);
    assert.equal(existsSync(join(scene.data, "store.sqlite")), false);
    assert.equal(existsSync(join(scene.data, "notes.txt")), true);
  });

  it("asks before, and does nothing without an answer", async () => {
    for (const [answer, said] of [
      ["n", /Nothing was removed/],
      [undefined, /confirm it by --yes/],
    ] as const) {
      await using scene = await localScene(answer);
      await mkdir(scene.data);
      writeFileSync(join(scene.data, "holder"), "1");
      const { output, errors } = await scene.run("reset");
      assert.match(output + errors, said);
      assert.ok(existsSync(join(scene.data, "holder")));
    }
  });

  it("says so where there is nothing", async () => {
    await using scene = await localScene();
    assert.match((await scene.run("reset")).output, /There is no data/);
    const { output } = await scene.run("reset", "-o", "yaml");
    assert.equal(output, `folder: ${scene.data}\nremoved: false\nleft: []\n`);
  });
});
