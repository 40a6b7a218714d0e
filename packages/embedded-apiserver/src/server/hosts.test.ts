import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { advertisedAddress, firstServiceAddress, reachableHost, servingHosts } from "./hosts.ts";

describe("servingHosts", () => {
  it("has the names of the Service, the address and what was asked for, once each", () => {
    const hosts = servingHosts({
      address: "127.0.0.1",
      serviceIp: "10.0.0.1",
      tlsSans: ["nest.example", "localhost"],
    });
    for (const host of ["kubernetes.default.svc", "127.0.0.1", "10.0.0.1", "nest.example"]) {
      assert.ok(hosts.includes(host), host);
    }
    assert.equal(hosts.filter((host) => host === "localhost").length, 1);
  });

  it("has every address of the machine where it listens on all", () => {
    const hosts = servingHosts({ address: "0.0.0.0", serviceIp: "10.0.0.1", tlsSans: [] });
    assert.ok(!hosts.includes("0.0.0.0"));
    assert.ok(hosts.includes("127.0.0.1"));
  });
});

describe("reachableHost", () => {
  for (const [address, host] of [
    ["127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "127.0.0.1"],
    ["::", "127.0.0.1"],
    ["::1", "[::1]"],
  ] as const) {
    it(`is ${host} for ${address}`, () => assert.equal(reachableHost(address), host));
  }
});

describe("advertisedAddress", () => {
  it("is where it listens, or an address of the machine where it listens on all", () => {
    assert.equal(advertisedAddress("192.0.2.7"), "192.0.2.7");
    assert.match(advertisedAddress("0.0.0.0"), /^\d+\.\d+\.\d+\.\d+$/);
    assert.notEqual(advertisedAddress("0.0.0.0"), "0.0.0.0");
  });
});

describe("firstServiceAddress", () => {
  for (const [range, address] of [
    ["10.0.0.0/24", "10.0.0.1"],
    ["10.96.7.9/12", "10.96.0.1"],
    ["fd00::/108", "fd00::1"],
  ] as const) {
    it(`is ${address} in ${range}`, () => assert.equal(firstServiceAddress(range), address));
  }

  it("refuses what is no range", () => {
    assert.throws(() => firstServiceAddress("10.0.0.0"), /no '\/'/);
  });
});
