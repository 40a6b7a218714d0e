import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FlagsError } from "@rookery/runtime";
import { parseVSphereFlags } from "./flags.ts";

function parse(...args: string[]) {
  const flags = parseVSphereFlags(args);
  assert.ok(!flags.help);
  return flags;
}

describe("the flags of the provider", () => {
  it("are closed where nothing is said", () => {
    const flags = parse();
    assert.deepEqual([flags.vcenterServer, flags.tenantNetwork], [[], []]);
    assert.deepEqual([flags.identitiesAnyServer, flags.adoptVirtualMachines], [false, false]);
  });

  it("list servers with commas between, one by one, and none where a variable was not set", () => {
    const flags = parse("--vcenter-server= a.example, b.example:8443 ", "--vcenter-server= ");
    assert.deepEqual(flags.vcenterServer, ["a.example", "b.example:8443"]);
  });

  it("list networks with the port that servers have there", () => {
    const { tenantNetwork } = parse("--tenant-network=10.20.0.0/16,fd12::/16:8443,127.0.0.0/8:*");
    assert.deepEqual(
      tenantNetwork.map(({ address, port }) => [address, port]),
      [
        ["10.20.0.0", 443],
        ["fd12::", 8443],
        ["127.0.0.0", "any"],
      ],
    );
  });

  const wrong: Record<string, [arg: string, message: RegExp]> = {
    "a server with a path": ["--vcenter-server=https://a.example/sdk", /host names or addresses/],
    "a server with a user": ["--vcenter-server=a@b", /host names or addresses/],
    "an address that is no network": ["--tenant-network=10.20.0.1", /a network such as 10\.20/],
    "a network that is too narrow": ["--tenant-network=10.20.0.0/33", /a network such as 10\.20/],
  };
  for (const [what, [arg, message]] of Object.entries(wrong)) {
    it(`refuse ${what}`, () => {
      assert.throws(
        () => parseVSphereFlags([arg]),
        (error) => error instanceof FlagsError && message.test(error.message),
      );
    });
  }
});
