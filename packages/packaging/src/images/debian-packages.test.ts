import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "@rookery/testing";
import { type DebianPackage, fetchPackage, lockedPackages } from "./debian-packages.ts";
import { memberOf } from "./locked-libraries.ts";

const content = Buffer.from("a package");
const wanted: DebianPackage = {
  name: "libc6",
  version: "2",
  file: "pool/libc6.deb",
  size: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
};

/** Mirrors on loopback, each with what it answers for the file; undefined is 404. */
async function fetchFrom(answers: readonly (Buffer | undefined)[], times = 1) {
  await using folder = await createTemporaryFolder("debian");
  let requests = 0;
  const server = createServer(({ url = "" }, response) => {
    requests += 1;
    const answer = answers[Number(url.split("/")[1])];
    if (!answer || !url.endsWith(wanted.file)) response.writeHead(404).end();
    else response.end(answer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const mirrors = answers.map((_, index) => `http://127.0.0.1:${port}/${index}`);
  try {
    let fetched: Buffer = Buffer.alloc(0);
    for (let i = 0; i < times; i += 1) {
      fetched = await fetchPackage(wanted, { env: { XDG_CACHE_HOME: folder.path }, mirrors });
    }
    return { fetched, requests };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe("a locked Debian package", () => {
  it("is fetched once, and is what was locked", async () => {
    const { fetched, requests } = await fetchFrom([content], 2);
    assert.deepEqual(fetched, content);
    assert.equal(requests, 1);
  });

  it("comes from the next mirror where one has dropped it, changed it or never ends", async () => {
    const changed = Buffer.from("b package");
    const long = Buffer.alloc(1024 * 1024);
    const { fetched, requests } = await fetchFrom([undefined, changed, long, content]);
    assert.deepEqual(fetched, content);
    assert.equal(requests, 4);
  });

  it("is unavailable where no mirror has it, which names the ways out", async () => {
    await assert.rejects(
      fetchFrom([undefined, Buffer.from("b package")]),
      /could not get the Debian package libc6 2: .*answers 404; .*SHA-256 is not the locked one; name a mirror that has it by ROOKERY_DEBIAN_MIRROR, or lock today's versions/,
    );
  });

  it("is locked with its checksum for every architecture", () => {
    for (const arch of ["x64", "arm64"]) {
      const packages = lockedPackages(arch);
      assert.ok(packages.some(({ name }) => name === "libc6"));
      for (const { sha256, size, file } of packages) {
        assert.match(sha256, /^[0-9a-f]{64}$/);
        assert.ok(size > 0);
        assert.match(file, /^pool\/main\/.*\.deb$/);
      }
    }
    assert.throws(() => lockedPackages("mips"), /the lock file has those for x64 and arm64/);
  });

  it("is read member by member", () => {
    const member = (name: string, text: string) =>
      `${name.padEnd(48)}${String(text.length).padEnd(10)}\`\n${text}${text.length % 2 ? "\n" : ""}`;
    const archive = `!<arch>\n${member("debian-binary", "2.0")}${member("data.tar.xz/", "files")}`;
    assert.equal(memberOf(Buffer.from(archive), "data.tar.xz").toString(), "files");
    assert.throws(() => memberOf(Buffer.from(archive), "data.tar.zst"), /has no such member/);
  });
});
