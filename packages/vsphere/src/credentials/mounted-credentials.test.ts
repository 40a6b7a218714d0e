import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { mountedCredentials } from "./mounted-credentials.ts";

describe("the controller's own credentials in a folder", () => {
  let root: string;
  let folder: string;
  let count = 0;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "rookery-credentials-"));
  });
  after(() => rm(root, { recursive: true }));
  beforeEach(async () => {
    folder = join(root, `${count++}`);
    await mkdir(folder);
  });

  const write = async (keys: Readonly<Record<string, string>>, where = folder) => {
    for (const [key, value] of Object.entries(keys)) await writeFile(join(where, key), value);
  };
  /** As kubelet does it: a new folder, and a link that is renamed over the old one. */
  const mount = async (generation: string, keys: Readonly<Record<string, string>>) => {
    await mkdir(join(folder, generation));
    await write(keys, join(folder, generation));
    await symlink(generation, join(folder, "..data_tmp"));
    await rename(join(folder, "..data_tmp"), join(folder, "..data"));
  };
  const read = () => mountedCredentials(folder).read();

  it("list servers also without an account", async () => {
    await write({ username: " ", password: " ", servers: "a.example,b.example" });
    assert.equal(await read(), undefined);
    const servers = await mountedCredentials(folder).servers();
    assert.deepEqual(servers, ["a.example", "b.example"]);
    assert.deepEqual(await mountedCredentials(join(folder, "missing")).servers(), []);
  });

  it("are a user, a password as it is, and servers", async () => {
    await write({ username: "team\n", password: " a b ", servers: "a.example, b.example:8443\n" });
    assert.deepEqual(await read(), {
      username: "team",
      password: " a b ",
      servers: ["a.example", "b.example:8443"],
    });
  });

  it("are none in an empty or missing folder, or where the values are empty", async () => {
    assert.equal(await read(), undefined);
    assert.equal(await mountedCredentials(join(folder, "none")).read(), undefined);
    await write({ username: "", password: " ", servers: "" });
    assert.equal(await read(), undefined);
  });

  it("are refused without servers, since they would go anywhere", async () => {
    await write({ username: "team", password: "secret" });
    await assert.rejects(read(), (error: Error) => {
      assert.match(error.message, /must have username, password and servers/);
      assert.doesNotMatch(error.message, /secret"/);
      return "reason" in error && error.reason === "SecretNotAvailable";
    });
  });

  it("are as they are now when a mounted Secret is replaced", async () => {
    await mount("..1", { username: "a", password: "1", servers: "s" });
    assert.equal((await read())?.password, "1");
    await mount("..2", { username: "b", password: "2", servers: "s" });
    assert.deepEqual(await read(), { username: "b", password: "2", servers: ["s"] });
  });
});
