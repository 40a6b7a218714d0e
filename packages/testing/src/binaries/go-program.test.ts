import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createFakeGo, type FakeGo } from "../../test/binaries/fake-go.ts";
import { noProgress } from "../progress.ts";
import { ensureGoProgram } from "./go-program.ts";

async function createModule(go: FakeGo): Promise<string> {
  const module = join(go.folder, "nest");
  await mkdir(join(module, "api"), { recursive: true });
  await writeFile(join(module, "go.mod"), "module example.com/nest\n");
  await writeFile(join(module, "api", "types.go"), "package api\n");
  return module;
}

test("a program is built once and then kept, also without Go", async () => {
  await using go = await createFakeGo();
  const module = await createModule(go);
  const path = await ensureGoProgram(module, { env: go.env, progress: noProgress });
  assert.equal(await readFile(path, "utf8"), "binary of .\n");
  const env = { ...go.env, PATH: join(go.folder, "cache") };
  assert.equal(await ensureGoProgram(module, { env, progress: noProgress }), path);
  assert.deepEqual(await go.built(), ["."]);
});

test("a module that only pins a program of another is that program", async () => {
  await using go = await createFakeGo();
  const module = await createModule(go);
  const tools = 'package tools\n\nimport _ "example.com/nest/cmd"\n';
  await writeFile(join(module, "tools.go"), tools);
  await ensureGoProgram(module, { env: go.env, progress: noProgress });
  assert.deepEqual(await go.built(), ["example.com/nest/cmd"]);
});

test("a change in any file of the module makes another program", async () => {
  await using go = await createFakeGo();
  const module = await createModule(go);
  const options = { env: go.env, progress: noProgress };
  const before = await ensureGoProgram(module, options);
  await writeFile(join(module, "api", "types.go"), "package api // changed\n");
  assert.notEqual(await ensureGoProgram(module, options), before);
  assert.deepEqual(await go.built(), [".", "."]);
});

test("without Go the error says what would help", async () => {
  await using go = await createFakeGo();
  const module = await createModule(go);
  const env = { ...go.env, PATH: join(go.folder, "cache") };
  await assert.rejects(
    ensureGoProgram(module, { env, progress: noProgress }),
    /could not get nest: there is no go on PATH; install Go 1.25 or newer/,
  );
});
