import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTenantNetwork, type TenantNetwork, tenantAddressRule } from "./tenant-networks.ts";

const networks = (...texts: string[]) =>
  texts.map((text) => parseTenantNetwork(text)).filter((one): one is TenantNetwork => !!one);

describe("without networks a server of a tenant", () => {
  const rule = tenantAddressRule(443, [], ["10.96.0.1"]);
  const table: Record<string, [addresses: readonly string[], boolean]> = {
    "may be in a private network or a public one": [
      ["10.20.0.5", "192.168.1.9", "172.16.0.1", "203.0.113.7", "2001:db8::1", "fd12::1"],
      true,
    ],
    "may not be this machine": [
      ["127.0.0.1", "127.255.0.1", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "::127.0.0.1"],
      false,
    ],
    "may not be on a link, or be what clouds give away keys at": [
      ["169.254.169.254", "fe80::1", "::ffff:a9fe:a9fe", "fd00:ec2::254", "100.100.100.200"],
      false,
    ],
    "may not be many": [["224.0.0.1", "255.255.255.255", "ff02::1"], false],
    "may not hide another address": [["64:ff9b::7f00:1", "2002:7f00:1::"], false],
    "may not be the API server": [["10.96.0.1", "::ffff:10.96.0.1"], false],
  };
  for (const [what, [addresses, expected]] of Object.entries(table)) {
    it(what, () => {
      for (const address of addresses) assert.equal(rule?.(address), expected, address);
    });
  }

  it("may have no other port", () => {
    assert.equal(tenantAddressRule(6443, []), undefined);
  });
});

describe("with networks a server of a tenant", () => {
  const open = networks("10.20.0.0/16", "127.0.0.0/8:*", "fd12::/16:8443");
  const table: Record<string, [address: string, port: number, boolean]> = {
    "may be in one of them": ["10.20.3.4", 443, true],
    "may not be elsewhere": ["10.21.0.1", 443, false],
    "may not have another port": ["10.20.3.4", 22, false],
    "may have the port of the network": ["fd12::9", 8443, true],
    "may have any port where the network says so": ["127.0.0.1", 9, true],
  };
  for (const [what, [address, port, expected]] of Object.entries(table)) {
    it(what, () => assert.equal(tenantAddressRule(port, open)?.(address) ?? false, expected));
  }
});

it("what is no network is none", () => {
  const texts = ["", "10.0.0.1", "10.0.0.0/33", "x/8", "10.0.0.0/8:", "10.0.0.0/8:99999", "::/129"];
  for (const text of texts) assert.equal(parseTenantNetwork(text), undefined, text);
});
