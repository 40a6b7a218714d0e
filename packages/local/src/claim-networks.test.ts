import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { claimNetworks, placeCount } from "./claim-networks.ts";
import { NetworksError } from "./errors.ts";

describe("claimNetworks", () => {
  let folders: string[];

  beforeEach(() => {
    folders = ["a", "b"].map((name) => mkdtempSync(join(tmpdir(), `networks-${name}-`)));
  });
  afterEach(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  it("gives two that run at once different addresses, and each its own again", async () => {
    const [a = "", b = ""] = folders;
    let first: string;
    {
      await using claimed = await claimNetworks(a);
      first = claimed.podCidr;
      assert.match(first, /^127\.(6[4-9]|[78]\d|9[0-5])\.\d+\.0\/20$/);
      assert.match(claimed.serviceCidr, /^127\.(9[6-9]|1[01]\d|12[0-7])\.\d+\.0\/20$/);
      const { podCidr: beside } = claimed;
      await using other = await claimNetworks(b, placeIn(beside));
      assert.notEqual(other.podCidr, first);
      assert.notEqual(other.serviceCidr, claimed.serviceCidr);
    }
    await using again = await claimNetworks(a, 3);
    assert.equal(again.podCidr, first);
  });

  it("says who has to end where another one has the addresses of the folder", async () => {
    const [a = "", b = ""] = folders;
    let place: number;
    {
      await using claimed = await claimNetworks(a);
      place = placeIn(claimed.podCidr);
    }
    await using _ = await claimNetworks(b, place);
    await assert.rejects(claimNetworks(a), (error) => {
      assert.ok(error instanceof NetworksError);
      assert.match(error.message, /another embedded Kubernetes .* uses them; stop it first/);
      return true;
    });
  });
});

function placeIn(cidr: string): number {
  const [, second = 0, third = 0] = cidr.split(/[./]/).map(Number);
  return ((second - 64) * 16 + third / 16) % placeCount;
}
