import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fieldPath } from "@rookery/kube";
import { cidrWarnings } from "./cidr-warnings.ts";

describe("of a CIDR clients are told", () => {
  const rows: Record<string, [value: string, warnings: readonly string[]]> = {
    "nothing where it is in order": ["10.0.0.0/8", []],
    "nothing where it is in order in IPv6": ["2001:db8::/64", []],
    "nothing where it is none, which is told elsewhere": ["10.0.0.0", []],
    "that bits past its length are ambiguous": [
      "10.1.2.3/8",
      [
        'spec.x: CIDR value "10.1.2.3/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.2.3/32"?)',
      ],
    ],
    "that zeros before a number will not do for long": [
      "010.0.0.0/8",
      [
        'spec.x: non-standard CIDR value "010.0.0.0/8" will be considered invalid in a future Kubernetes release: use "10.0.0.0/8"',
      ],
    ],
    "how an IPv6 network is written": [
      "2001:DB8::/64",
      [
        'spec.x: IPv6 CIDR value "2001:DB8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")',
      ],
    ],
  };
  for (const [name, [value, warnings]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(cidrWarnings(value, fieldPath("spec", "x")), warnings));
  }
});
