import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import { describe, it } from "node:test";
import { type AddressRule, ruledLookup } from "./address-rule.ts";
import { connectVCenter } from "./connect.ts";

const isPublic: AddressRule = (address) => !address.startsWith("127.");

/** What a name server says; the names that it was asked for. */
function nameServer(...addresses: string[]) {
  const asked: string[] = [];
  const look = (all: boolean) =>
    new Promise<string | LookupAddress[]>((resolve, reject) => {
      const lookup = ruledLookup(isPublic, (hostname, _, callback) => {
        asked.push(hostname);
        callback(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        );
      });
      lookup("vc.example", { all }, (error, found) => (error ? reject(error) : resolve(found)));
    });
  return { asked, look };
}

describe("a name that is looked up by a rule", () => {
  it("is found where all its addresses are allowed", async () => {
    const { look } = nameServer("203.0.113.1", "203.0.113.2");
    assert.equal((await look(true)).length, 2);
    assert.equal(await look(false), "203.0.113.1");
  });

  it("is refused where one of them is not, or there is none", async () => {
    for (const addresses of [["203.0.113.1", "127.0.0.1"], ["127.0.0.1"], []]) {
      const { look } = nameServer(...addresses);
      for (const all of [true, false]) {
        await assert.rejects(look(all), { code: "AddressNotAllowed" });
      }
    }
  });

  it("is completed by no search domain", async () => {
    const { asked, look } = nameServer("203.0.113.1");
    await look(true);
    assert.deepEqual(asked, ["vc.example."]);
  });
});

it("a server that is an address is judged without being looked up", async () => {
  const thumbprint = "AB".repeat(20);
  for (const server of ["127.0.0.1", "127.1:8443", "2130706433"]) {
    await assert.rejects(connectVCenter({ server, thumbprint, allowsAddress: isPublic }), {
      code: "AddressNotAllowed",
    });
  }
});
