import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { describe, it } from "node:test";
import { createClient, loadConfig } from "@rookery/client";
import { builtInResources } from "@rookery/kube";
import {
  anyKubectl,
  createTemporaryFolder,
  processesOfPods,
  runCommand,
  waitFor,
} from "@rookery/testing";
import { StartedPlane } from "../../bench/start/started-plane.ts";
import { endRun } from "../../src/local/end-run.ts";
import { podsWarning } from "../../src/local/messages.ts";
import { findSimulator } from "../../src/start/simulator.ts";
import { checkInstanceBoundary } from "../instance-boundary.ts";
import { assertQuietManagers } from "../quiet-managers.ts";

const timeout = 120_000;
const clone = join(import.meta.dirname, "../../../..");
const binaries = join(clone, "node_modules/.bin");
const allTenants = ["adelie", "chinstrap", "gentoo", "emperor"];

/** The lines that it says to try, as they are printed. */
function printedCommands(output: string): readonly string[] {
  const [, text = ""] = output.split("in another terminal:\n\n");
  return (text.split("\n\n")[0] ?? "").split("\n").map((line) => line.trim());
}

/** Pasted into a shell, in which npx finds the clone's own command. */
function paste(
  lines: readonly string[],
  { cwd, ...variables }: { readonly cwd: string } & Readonly<Record<string, string>>,
): Promise<string> {
  const script = ['npx() { "$@"; }', "set -e", ...lines].join("\n");
  const path = [join(cwd, "bin"), binaries, process.env.PATH].join(delimiter);
  return runCommand("sh", ["-c", script], {
    cwd,
    env: { ...process.env, ...variables, PATH: path },
  });
}

/** The blocks of commands of a document, or of one section, but for those of npm itself. */
async function documentedBlocks(document: string, section?: string): Promise<readonly string[]> {
  const text = await readFile(join(clone, document), "utf8");
  const [whole = "", below = ""] = text.split(`\n## ${section}\n`);
  const part = section === undefined ? whole : (below.split("\n## ")[0] ?? "");
  const blocks = [...part.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => block ?? []);
  const others = blocks.filter((block) => !block.startsWith("npm "));
  assert.ok(others.length > 0, `${document} has no commands`);
  return others;
}

/** What the documents expect where their commands are typed: a clone, and kubectl. */
async function likeAClone(folder: string): Promise<void> {
  await mkdir(join(folder, "bin"));
  const kubectl = await anyKubectl({});
  if (isAbsolute(kubectl)) await symlink(kubectl, join(folder, "bin", "kubectl"));
  for (const name of ["examples", "node_modules"]) {
    await symlink(join(clone, name), join(folder, name));
  }
}

async function tenantNamespaces(kubeconfig: string) {
  await using client = createClient(await loadConfig({ path: kubeconfig }));
  const labelSelector = "rookery.dev/tenant";
  const { items } = await client.resource(builtInResources.namespaces).list({ labelSelector });
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.uid]));
}

async function podUids(kubeconfig: string): Promise<ReadonlySet<string>> {
  await using client = createClient(await loadConfig({ path: kubeconfig }));
  const pods = await client.mapper.resourceForKind({ group: "", kind: "Pod" });
  const { items } = await client.resource(pods).list();
  return new Set(items.map(({ metadata }) => metadata.uid ?? ""));
}

/** Whatever runs with a folder is ended, also where a test fails. */
function endWith(data: string): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => endRun(data, 10_000).then(() => {}) };
}

describe("npm start", () => {
  it("brings up a tenant on each rung, and finds all of it again after kill -9", async () => {
    await using folder = await createTemporaryFolder("start");
    const data = join(folder.path, "data");
    const kubeconfig = join(data, "kubeconfig");
    await using _ = endWith(data);
    let before: Awaited<ReturnType<typeof tenantNamespaces>>;
    let pods: ReadonlySet<string>;
    {
      await using first = await StartedPlane.start(folder, "--port", "0");
      await first.ready();
      assert.ok(first.output.includes(podsWarning()), first.output);
      const commands = printedCommands(first.output);
      assert.equal(commands.length, 4, first.output);
      const said = await paste(commands, { cwd: folder.path });
      for (const tenant of allTenants) assert.match(said, new RegExp(`^${tenant} `, "m"));
      // Nobody asked for machines of theirs: it is no fault that they have none.
      assert.match(said, /^adelie .* 1 Provisioned +True$/m);
      assert.doesNotMatch(said, /^\w+ .* False$/m);
      await useTenant(join(folder.path, "emperor.kubeconfig"));
      await likeAClone(folder.path);
      const asDocumented = { cwd: folder.path, KUBECONFIG: kubeconfig };
      const tenants = await paste(["rookery get tenants"], asDocumented);
      assert.ok((await readFile(join(clone, "README.md"), "utf8")).includes(tenants), tenants);
      const light = await documentedBlocks("docs/nested.md", "A light tenant");
      assert.match(await paste(light, asDocumented), /^kube-system /m);
      await useTenant(join(folder.path, "light.kubeconfig"));
      for (const document of ["README.md", "docs/start.md"]) {
        await paste(await documentedBlocks(document), asDocumented);
      }
      await useTenant(join(folder.path, "first.kubeconfig"));
      await checkInstanceBoundary(kubeconfig);
      before = await tenantNamespaces(kubeconfig);
      assert.deepEqual(Object.keys(before).toSorted(), allTenants.toSorted());

      await using second = await StartedPlane.start(folder, "--port", "0");
      await second.child.whenEnded();
      assert.equal(second.child.ending, "exit code 1");
      assert.match(second.output, /could not start: process \d+ runs with the data in/);
      pods = await podUids(kubeconfig);
      await first.child.kill();
    }
    const orphans = processesOfPods(pods);
    assert.ok(orphans.length > 0);

    await using again = await StartedPlane.start(folder);
    await again.ready();
    assert.match(again.output, /^Starting again/);
    assert.deepEqual(await tenantNamespaces(kubeconfig), before);
    const running = await podUids(kubeconfig);
    assert.ok(processesOfPods(running).every((pid) => !orphans.includes(pid)));
    await useTenant(join(folder.path, "emperor.kubeconfig"));
    await assertQuietManagers(kubeconfig);

    // A terminal sends it to all, and npm passes on what it gets.
    for (const __ of "ab") process.kill(again.child.pid, "SIGINT");
    await again.child.whenEnded();
    assert.equal(again.child.ending, "exit code 0");
    assert.deepEqual(processesOfPods(new Set([...running, ...pods])), []);
    assert.ok(existsSync(join(data, "store.sqlite")));
  });
});

describe("npm start without Go", () => {
  it("says in its summary which clusters wait, and calls none of them Provisioned", async () => {
    await using folder = await createTemporaryFolder("start-bare");
    await using _ = endWith(join(folder.path, "data"));
    const cache = join(folder.path, "cache");
    await mkdir(join(folder.path, "no-bin"));
    const env = { XDG_CACHE_HOME: cache, PATH: join(folder.path, "no-bin") };
    await using plane = await StartedPlane.startWith(env, folder, "--port", "0");
    await plane.ready();
    assert.match(
      plane.output,
      /^Clusters of adelie, chinstrap, gentoo have no infrastructure and wait: no vCenter: there is no Go/m,
    );
    assert.doesNotMatch(plane.output, /Provisioned/);
    assert.match(plane.output, /^ready {2}tenant emperor, /m);
  });
});

/** A compiler that takes until somebody makes the file `go` beside it, as a slow machine without its cache does. */
async function slowCompiler(
  folder: string,
): Promise<{ readonly bin: string; finish(): Promise<void> }> {
  const { path } = await findSimulator({ env: process.env, signal: new AbortController().signal });
  assert.ok(path, "there is no simulator of a vCenter");
  const bin = join(folder, "slow-bin");
  const mark = join(folder, "go-on");
  await mkdir(bin);
  const script = [
    "#!/bin/sh",
    'echo "go: downloading github.com/vmware/govmomi" >&2',
    'while [ "$1" != "-o" ]; do shift; done',
    `while [ ! -e '${mark}' ]; do sleep 0.2; done`,
    `cp '${path}' "$2"`,
  ];
  await writeFile(join(bin, "go"), `${script.join("\n")}\n`, { mode: 0o755 });
  return { bin, finish: () => writeFile(mark, "") };
}

describe("npm start on a slow machine", () => {
  it("says what to try while Go still builds, and goes on until all is ready", async () => {
    await using folder = await createTemporaryFolder("start-slow");
    await using _ = endWith(join(folder.path, "data"));
    const compiler = await slowCompiler(folder.path);
    const env = {
      XDG_CACHE_HOME: join(folder.path, "cache"),
      PATH: [compiler.bin, process.env.PATH].join(delimiter),
    };
    await using plane = await StartedPlane.startWith(env, folder, "--port", "0", "--wait", "2");
    const says = (text: RegExp) =>
      waitFor(() => text.test(plane.output), {
        what: `npm start to say ${text}`,
        timeout,
        detail: () => plane.output,
        fatal: () => plane.child.ending !== undefined,
      });
    await says(/in another terminal/);
    assert.match(plane.output, /^Bundling the command for pods, once for these sources$/m);
    assert.match(plane.output, /^Not ready after 2 s, and tried until Ctrl-C:$/m);
    const building = "Go builds it: go: downloading github.com/vmware/govmomi";
    assert.match(plane.output, new RegExp(`^ {2}vCenter .*: ${building}$`, "m"));
    assert.doesNotMatch(plane.output, /: $/m, "nothing is waited for without a word");
    await says(/^ready {2}tenant emperor, /m);
    await says(/^ready {2}vSphere provider, for chinstrap alone, /m);
    assert.doesNotMatch(plane.output, /^ready {2}vCenter/m);
    await compiler.finish();
    await plane.ready();
    assert.match(plane.output, /^ready {2}tenant adelie, /m);
    assert.equal(plane.output.split("in another terminal").length, 2, "it is said once");
  });

  it("does not wait for the vCenter to say what to try", async () => {
    await using folder = await createTemporaryFolder("start-build");
    await using _ = endWith(join(folder.path, "data"));
    const compiler = await slowCompiler(folder.path);
    const env = {
      XDG_CACHE_HOME: join(folder.path, "cache"),
      PATH: [compiler.bin, process.env.PATH].join(delimiter),
    };
    await using plane = await StartedPlane.startWith(env, folder, "--port", "0");
    await waitFor(() => plane.output.includes("in another terminal"), {
      what: "npm start to say what to try",
      timeout,
      detail: () => plane.output,
    });
    assert.match(plane.output, /^All else is ready after [\d.]+ s; this follows by itself:$/m);
    assert.match(
      plane.output,
      /^ {2}tenant gentoo \(.*\): the vCenter is being made: Go builds it: go: downloading/m,
    );
  });
});

/** It has namespaces of its own, and lets its administrator make more. */
async function useTenant(kubeconfig: string): Promise<void> {
  await using client = createClient(await loadConfig({ path: kubeconfig }));
  const namespaces = client.resource(builtInResources.namespaces);
  const mine = { apiVersion: "v1", kind: "Namespace", metadata: { name: "mine" } };
  await waitFor(() => namespaces.apply(mine, { fieldManager: "test", force: true }), {
    what: "the tenant to take a namespace",
    timeout,
  });
  const { items } = await namespaces.list();
  const names = items.map(({ metadata }) => metadata.name);
  assert.ok(names.includes("mine") && !names.includes("adelie"), names.join(", "));
}
