import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { writeBundle } from "@rookery/packaging";
import {
  createTemporaryFolder,
  ensureBinaries,
  runCommand,
  type TemporaryFolder,
} from "@rookery/testing";
import { run as runInProcess } from "./run.ts";

/** Nothing of this clone is in it, and no registry is asked. */
async function installBundle(folder: string): Promise<void> {
  const [bundle, app] = [join(folder, "bundle"), join(folder, "app")];
  await writeBundle(bundle);
  await mkdir(app);
  const packed = await runCommand("npm", ["pack", "--silent", bundle], { cwd: folder });
  const quiet = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await runCommand("npm", ["install", ...quiet, `--prefix=${app}`, join(folder, packed.trim())], {
    cwd: app,
  });
}

describe("the published command, installed into an empty folder", () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await createTemporaryFolder("bundle");
    await installBundle(folder.path);
  });
  after(() => folder?.[Symbol.asyncDispose]());

  /** As npm links it; the Node that runs this is first on the PATH. */
  const rookery = (...args: readonly string[]) =>
    runCommand(join(folder.path, "app", "node_modules", ".bin", "rookery"), args, {
      cwd: folder.path,
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder.path },
    });

  for (const args of ["--help", "crds", "install vsphere", "manager nested --help"]) {
    it(`prints for "rookery ${args}" what a clone prints`, async () => {
      assert.equal(await rookery(...args.split(" ")), (await runInProcess(args)).output);
    });
  }

  it("runs a Kubernetes whose pods run it", async () => {
    const data = join(folder.path, "data");
    try {
      assert.match(await rookery("local", "up", "--port=0", `--data=${data}`), /is ready at https/);
      const status = JSON.parse(await rookery("local", "status", "-o=json", `--data=${data}`));
      assert.deepEqual(status.node, { name: "rookery", ready: true });
      const { kubectl: program } = await ensureBinaries(["kubectl"]);
      const kubectl = (...args: readonly string[]) =>
        runCommand(program, [`--kubeconfig=${data}/kubeconfig`, ...args]);
      await kubectl("run", "crds", "--image=rookery", "--restart=Never", "--", "crds");
      await kubectl(
        "wait",
        "pod/crds",
        "--for=jsonpath={.status.phase}=Succeeded",
        "--timeout=120s",
      );
      assert.equal(await kubectl("logs", "crds"), await rookery("crds"));
      // The models come from a file that lies beside the code.
      assert.match(await kubectl("explain", "pod.spec.nodeName"), /FIELD: nodeName/);
    } finally {
      assert.match(
        await rookery("local", "down", `--data=${data}`),
        /Ended process \d+|Nothing runs/,
      );
    }
  });

  it("is a plugin of a real kubectl, which completes it", async () => {
    const { kubectl } = await ensureBinaries(["kubectl"]);
    const bin = join(folder.path, "app", "node_modules", ".bin");
    const env = {
      PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder.path,
    };
    const ask = (...args: readonly string[]) => runCommand(kubectl, args, { env });
    assert.match(await ask("rookery", "version"), /^Rookery +\d/);
    assert.match(await ask("rookery", "move", "--help"), /^Usage: kubectl rookery move/);
    await assert.rejects(ask("rookery", "mvoe"), {
      exitCode: 2,
      stderr:
        /^kubectl rookery: there is no command "mvoe"\. Did you mean "kubectl rookery move"\?/,
    });
    assert.match(await ask("__complete", "rookery", "local", "st"), /^status\t/);
  });

  it("brings the licences of what is in it", async () => {
    const installed = join(folder.path, "app", "node_modules", "@rookery", "cli");
    const licences = await readFile(join(installed, "THIRD_PARTY_LICENSES"), "utf8");
    for (const name of ["commander", "undici", "yaml"]) {
      assert.match(licences, new RegExp(`^${name} \\d`, "m"));
    }
  });

  it("says which Node it needs where that one is too old, in a clone too", async () => {
    const launcher = join(folder.path, "bundle", "rookery.cjs");
    for (const file of [launcher, join(import.meta.dirname, "../src/rookery.mjs")]) {
      const old = `Object.defineProperty(process, "version", { value: "v20.1.0" });
        import(${JSON.stringify(file)});`;
      await assert.rejects(promisify(execFile)(process.execPath, ["--eval", old]), {
        code: 1,
        stderr: /could not start: it needs Node 24 or newer, and this is Node v20\.1\.0; /,
      });
    }
  });
});
