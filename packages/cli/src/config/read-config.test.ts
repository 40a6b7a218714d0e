import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fetchVariables } from "@rookery/components";
import { createCertificateAuthority } from "@rookery/pki";
import type { CommandIo } from "../command.ts";
import { readConfig } from "./read-config.ts";

const home = mkdtempSync(join(tmpdir(), "rookery-config-"));
after(() => rmSync(home, { recursive: true }));
beforeEach(() => {
  for (const folder of [".cluster-api", ".config", "elsewhere"]) {
    rmSync(join(home, folder), { recursive: true, force: true });
  }
});

function write(path: string, text: string): string {
  const file = join(home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function read(env: Readonly<Record<string, string>> = {}, config?: string) {
  let errors = "";
  const io: CommandIo = {
    write: () => {},
    writeError: (text) => {
      errors += text;
    },
    readInput: async () => "",
    env: { HOME: home, ...env },
  };
  return { ...(await readConfig({ ...(config && { config }) }, io)), errors };
}

test("without a file there are the variables of the environment", async () => {
  const { file, variable, providers, images, overridesFolder } = await read({ A: "a" });
  assert.deepEqual({ file, providers, images }, { file: undefined, providers: [], images: {} });
  assert.equal(variable("A"), "a");
  assert.equal(variable("B"), undefined);
  assert.equal(overridesFolder, join(home, ".config/cluster-api/overrides"));
});

test("clusterctl's places are looked at in its order, and our own name wins", async () => {
  write(".cluster-api/clusterctl.yaml", "A: old place");
  assert.equal((await read()).variable("A"), "old place");
  write(".config/cluster-api/clusterctl.yaml", "A: new place");
  assert.equal((await read()).variable("A"), "new place");
  write(".cluster-api/rookery.yaml", "A: ours");
  assert.equal((await read()).variable("A"), "ours");
  write("elsewhere/cluster-api/rookery.yaml", "A: by XDG_CONFIG_HOME");
  const env = { XDG_CONFIG_HOME: join(home, "elsewhere") };
  assert.equal((await read(env)).variable("A"), "by XDG_CONFIG_HOME");
});

test("the environment wins over the file, also where it is empty", async () => {
  const file = write("a.yaml", "A: file\nB: file\nc_d: file");
  const { variable } = await read({ A: "environment", B: "" }, file);
  assert.deepEqual(["A", "B", "C_D"].map(variable), ["environment", "", "file"]);
});

test("providers and folders may hold variables of the environment", async () => {
  const file = write(
    "a.yaml",
    `overridesFolder: \${HOME}/mine
providers: [{name: aws, type: InfrastructureProvider, url: "\${PLACE}/infrastructure-aws/v1.0.0/x.yaml"}]
`,
  );
  const { providers, overridesFolder } = await read({ PLACE: "/releases" }, file);
  const url = "/releases/infrastructure-aws/v1.0.0/x.yaml";
  assert.deepEqual(providers, [{ kind: "InfrastructureProvider", name: "aws", url }]);
  assert.equal(overridesFolder, join(home, "mine"));
});

test("settings of cert-manager are not used, and reported", async () => {
  const file = write("a.yaml", "cert-manager: {version: v1.0.0}");
  const { errors } = await read({}, file);
  assert.match(errors, /^Note: cert-manager in .*a\.yaml is not used: the operator issues/);
});

test("a file that is named and not there is an error that says so", async () => {
  const message = /could not use .*none\.yaml: .*no such file.*; --config names another file/;
  await assert.rejects(read({}, join(home, "none.yaml")), { code: "Settings", message });
});

test("it may be at a URL, as clusterctl allows", async () => {
  const authority = await createCertificateAuthority({ commonName: "web" });
  const { certificate: cert, key } = await authority.issue({
    commonName: "web",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  const web = createServer({ cert, key }, ({ url }, answer) => answer.end(`PLACE: ${url}`));
  await once(web.listen(0, "127.0.0.1"), "listening");
  const { port } = web.address() as AddressInfo;
  try {
    const env = { [fetchVariables.ca]: authority.certificate };
    const { variable, file } = await read(env, `https://127.0.0.1:${port}/mine.yaml`);
    assert.deepEqual(
      [variable("PLACE"), file],
      ["/mine.yaml", `https://127.0.0.1:${port}/mine.yaml`],
    );
  } finally {
    web.close();
  }
});

test("one that is not fetched by https could be anybody's, and is refused", async () => {
  const message = /could not fetch http:\/\/example\.com.*only https is allowed/;
  await assert.rejects(read({}, "http://example.com/clusterctl.yaml"), { message });
});
