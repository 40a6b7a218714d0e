import assert from "node:assert/strict";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTemporaryFolder, runCommand, startKubernetes } from "@rookery/testing";

const docs = fileURLToPath(new URL("../../../docs/proxy.md", import.meta.url));
const rookery = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));

/** The proxy on free ports: those of the page may be taken on this machine. */
const wrapper = `#!/bin/sh
exec ${process.execPath} ${rookery} "$@" --bind-address=127.0.0.1:0 --health-addr=0 --metrics-bind-address=0
`;

test("the example of docs/proxy.md does what it says", async () => {
  await using kubernetes = await startKubernetes({ private: true });
  await using folder = await createTemporaryFolder("docs");
  const bin = join(folder.path, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "rookery"), wrapper);
  await chmod(join(bin, "rookery"), 0o755);
  await symlink(kubernetes.description.kubectl, join(bin, "kubectl"));
  const blocks = (await readFile(docs, "utf8")).matchAll(/^```sh\n(.*?)^```$/gms);
  const steps = Array.from(blocks, ([, text]) => text);
  assert.equal(steps.length, 3);
  const script = ["set -eu", "trap 'kill $!; wait' EXIT", ...steps].join("\n");
  const env = {
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: folder.path,
    KUBECONFIG: kubernetes.kubeconfig,
  };
  const printed = await runCommand("bash", ["-c", script], { cwd: folder.path, env });
  assert.match(printed, /^crontab\.stable\.example\.dev\/nightly$/m);
  assert.match(printed, /^crontab\.stable\.team1\.example\.com\/nightly$/m);
});
