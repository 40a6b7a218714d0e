import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fieldPath } from "@rookery/kube";
import { endpointIp } from "./endpoint-ip.ts";
import { check } from "./rules.ts";

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
