import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { fieldPath } from "@rookery/kube";
import { parseLegacyCidr, parseLegacyIp } from "@rookery/schema";
import { cidrWarnings, endpointIp, ipWarnings, legacyIp, legacyIpOr } from "./ip.ts";
import { check, warner } from "./rules.ts";

const path = fieldPath("spec", "ip");
const warningsOf = warner<{ ip?: string; cidr?: string }>({ ip: ipWarnings, cidr: cidrWarnings });

test("zeros before the digits of an IPv4 address do not matter", () => {
  assert.equal(parseLegacyIp("010.000.1.002")?.value, parseLegacyIp("10.0.1.2")?.value);
  assert.equal(parseLegacyCidr("010.0.0.0/08")?.bits, 8);
});

test("an IPv4 address in the clothes of IPv6 is one of IPv4", () => {
  assert.equal(parseLegacyIp("::ffff:1.2.3.4")?.family, 4);
  assert.equal(parseLegacyIp("fe80::1%eth0"), undefined);
});

test("what is no address is refused, unless the old object had it", () => {
  assert.equal(
    String(check(legacyIp, "1.2.3", { path })[0]),
    'spec.ip: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  );
  assert.deepEqual(check(legacyIpOr(["1.2.3"]), "1.2.3", { path }), []);
});

test("addresses in unusual forms are warned of", () => {
  assert.deepEqual(warningsOf({ ip: "1.2.3.4" }), []);
  assert.deepEqual(warningsOf({ ip: "01.2.3.4" }), [
    'ip: non-standard IP address "01.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
  ]);
  assert.deepEqual(warningsOf({ ip: "2001:DB8::1" }), [
    'ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
});

describe("of a CIDR clients are told", () => {
  const rows: Record<string, [value: string, warnings: readonly string[]]> = {
    "nothing where it is in order": ["10.0.0.0/8", []],
    "nothing where it is in order in IPv6": ["2001:db8::/64", []],
    "nothing where it is none, which is told elsewhere": ["10.0.0.0", []],
    "that bits past its length are ambiguous": [
      "10.1.2.3/8",
      [
        'cidr: CIDR value "10.1.2.3/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.2.3/32"?)',
      ],
    ],
    "that zeros before a number will not do for long": [
      "010.0.0.0/8",
      [
        'cidr: non-standard CIDR value "010.0.0.0/8" will be considered invalid in a future Kubernetes release: use "10.0.0.0/8"',
      ],
    ],
    "how an IPv6 network is written": [
      "2001:DB8::/64",
      [
        'cidr: IPv6 CIDR value "2001:DB8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")',
      ],
    ],
  };
  for (const [name, [value, warnings]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(warningsOf({ cidr: value }), warnings));
  }
});

describe("the address of an endpoint", () => {
  const rows: Record<string, [value: string, problems: readonly string[]]> = {
    "may be any of IPv4": ["10.0.0.1", []],
    "may be any of IPv6": ["2001:db8::1", []],
    "may be a multicast one that others reach": ["ff05::1", []],
    "is an address": ["ten", ['ip: Invalid value: "ten": must be a valid IP address']],
    "is not 0.0.0.0": [
      "0.0.0.0",
      ['ip: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)'],
    ],
    "is not ::": ["::", ['ip: Invalid value: "::": may not be unspecified (::)']],
    "is not one of its own machine": [
      "127.8.9.1",
      ['ip: Invalid value: "127.8.9.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
    "is not one of its own machine in IPv6": [
      "::1",
      ['ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
    "is not link-local": [
      "169.254.169.254",
      [
        'ip: Invalid value: "169.254.169.254": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      ],
    ],
    "is not link-local in IPv6": [
      "fe80::1",
      [
        'ip: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      ],
    ],
    "is no link-local multicast": [
      "224.0.0.7",
      [
        'ip: Invalid value: "224.0.0.7": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
    "is no link-local multicast in IPv6": [
      "ff12::1",
      [
        'ip: Invalid value: "ff12::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
  };
  for (const [name, [value, problems]] of Object.entries(rows)) {
    it(name, () =>
      assert.deepEqual(check(endpointIp(), value, { path: fieldPath("ip") }).map(String), problems),
    );
  }
});

describe("the address of an endpoint, where pods are processes of this machine", () => {
  const problems = (value: string) =>
    check(endpointIp("127.64.0.0/16"), value, { path: fieldPath("ip") }).length;

  it("may be one of the pods or of the node", () => {
    assert.deepEqual(["127.64.0.1", "127.64.255.9", "127.0.0.1"].map(problems), [0, 0, 0]);
  });

  it("may not be any other of this machine", () => {
    assert.deepEqual(["127.65.0.1", "127.0.0.2", "::1", "169.254.0.1"].map(problems), [1, 1, 1, 1]);
  });
});
