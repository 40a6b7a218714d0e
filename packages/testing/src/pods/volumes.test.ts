import assert from "node:assert/strict";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import type { KeyedData, Pod } from "./pod.ts";
import { PodVolumes } from "./volumes.ts";

const pod: Pod = {
  metadata: { name: "a", namespace: "team" },
  spec: {
    containers: [],
    volumes: [
      { name: "ca", secret: { secretName: "ca", items: [{ key: "tls.crt", path: "ca/ca.crt" }] } },
      {
        name: "both",
        projected: {
          sources: [
            { secret: { name: "ca", items: [{ key: "tls.crt", path: "tls.crt" }] } },
            { secret: { name: "ca", items: [{ key: "tls.crt", path: "ca.crt" }] } },
          ],
        },
      },
      { name: "scratch", emptyDir: {} },
      { name: "settings", configMap: { name: "settings" } },
      { name: "data", persistentVolumeClaim: { claimName: "data-a" } },
    ],
  },
};
const secret = (data: Record<string, string>): KeyedData => ({
  metadata: { name: "ca", namespace: "team" },
  data: Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  ),
});

test("Secrets, ConfigMaps, claims and scratch space are folders, and what changes is written anew", async () => {
  await using temporary = await createTemporaryFolder("volumes");
  const folder = join(temporary.path, "a");
  await mkdir(folder);
  let ca: KeyedData | undefined;
  let settings: Record<string, string> = { color: "blue", old: "x" };
  const volumes = new PodVolumes(pod, folder, {
    secret: () => ca,
    configMap: (namespace, name) => ({ metadata: { namespace, name }, data: settings }),
    claim: () => "/claim",
  });
  assert.deepEqual(await volumes.prepare(), { missing: 'volume "ca" is not there yet' });

  ca = secret({ "tls.crt": "one", "tls.key": "never" });
  const folders = await volumes.prepare();
  assert.ok(folders instanceof Map);
  const at = (volume: string) => folders.get(volume) ?? "";
  assert.equal(at("data"), "/claim");
  assert.deepEqual(await readdir(at("scratch")), []);
  assert.equal(await readFile(join(at("ca"), "ca/ca.crt"), "utf8"), "one");

  assert.equal(await readFile(join(at("both"), "tls.crt"), "utf8"), "one");
  assert.equal(await readFile(join(at("both"), "ca.crt"), "utf8"), "one");

  const [before] = (await readdir(at("ca"))).filter((name) => /^\.\.\d/.test(name));
  await volumes.prepare();
  assert.ok((await readdir(at("ca"))).includes(before ?? ""), "what is the same is left alone");

  ca = secret({ "tls.crt": "two" });
  settings = { color: "red" };
  await volumes.prepare();
  assert.equal(await readFile(join(at("ca"), "ca/ca.crt"), "utf8"), "two");
  const visible = (await readdir(at("settings"))).filter((name) => !name.startsWith(".."));
  assert.deepEqual(visible, ["color"]);
});
