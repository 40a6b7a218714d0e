import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import * as names from "./names.ts";
import { generateName, maskTrailingDash } from "./names.ts";

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const tooLong = (max: number) => `must be no more than ${max} characters`;

describe("names are refused in the words of apimachinery v0.34.4", () => {
  const rows: Record<string, [problems: string[], expected: string[]]> = {
    "a label": [names.validateDns1123Label("a-1"), []],
    "a label of 63": [names.validateDns1123Label("a".repeat(63)), []],
    "a label of 64": [names.validateDns1123Label("a".repeat(64)), [tooLong(63)]],
    "a label with dots": [names.validateDns1123Label("a.b"), ["must not contain dots"]],
    "a long label with dots": [
      names.validateDns1123Label(`a.${"b".repeat(63)}`),
      [tooLong(63), "must not contain dots"],
    ],
    "a label with a capital": [names.validateDns1123Label("A"), [label]],
    "no label": [names.validateDns1123Label(""), [label]],
    "a label counted in bytes": [names.validateDns1123Label("é".repeat(32)), [tooLong(63), label]],
    "a label with a line end": [names.validateDns1123Label("a\n"), [label]],
    "a subdomain": [names.validateDns1123Subdomain("a.b-c.d"), []],
    "a subdomain of 254": [names.validateDns1123Subdomain("a".repeat(254)), [tooLong(253)]],
    "a subdomain with an empty part": [names.validateDns1123Subdomain("a..b"), [subdomain]],
    "a 1035 label": [names.validateDns1035Label("a1"), []],
    "a 1035 label that begins with a digit": [names.validateDns1035Label("1a"), [label1035]],
    "a qualified name": [names.validateQualifiedName("example.com/My_Name.1"), []],
    "a qualified name without a prefix": [names.validateQualifiedName("app"), []],
    "an empty qualified name": [
      names.validateQualifiedName(""),
      ["name part must be non-empty", `name part ${qualified}`],
    ],
    "an empty prefix": [names.validateQualifiedName("/a"), ["prefix part must be non-empty"]],
    "a bad prefix and a bad name": [
      names.validateQualifiedName("A/-"),
      [`prefix part ${subdomain}`, `name part ${qualified}`],
    ],
    "a long name part": [
      names.validateQualifiedName(`a/${"b".repeat(64)}`),
      [`name part ${tooLong(63)}`],
    ],
    "two slashes": [
      names.validateQualifiedName("a/b/c"),
      [
        `a qualified name ${qualified} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
    "an empty label value": [names.validateLabelValue(""), []],
    "a label value that ends in a dash": [names.validateLabelValue("a-"), [value]],
    "a long bad label value": [
      names.validateLabelValue(`${"a".repeat(63)}-`),
      [tooLong(63), value],
    ],
    "a path segment": [names.validatePathSegmentName("system:node"), []],
    "a dot segment": [names.validatePathSegmentName("."), ["may not be '.'"]],
    "a double dot segment": [names.validatePathSegmentName(".."), ["may not be '..'"]],
    "a segment with a slash and a percent sign": [
      names.validatePathSegmentName("a%/b"),
      ["may not contain '/'", "may not contain '%'"],
    ],
  };
  for (const [name, [problems, expected]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(problems, expected));
  }
});

describe("generateName", () => {
  it("adds five characters without vowels", () => {
    assert.equal(
      generateName("pod-", () => 0),
      "pod-bbbbb",
    );
    assert.equal(
      generateName("pod-", () => 0.999999),
      "pod-99999",
    );
    assert.match(generateName("pod-"), /^pod-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it("stays within 63 characters and valid for every valid base", () => {
    const base = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,80}[a-z0-9-])?$/);
    fc.assert(
      fc.property(base, (base) => {
        const name = generateName(base);
        assert.deepEqual(names.validateDns1123Label(name), []);
      }),
    );
  });

  it("validates a base that ends in a dash without it", () => {
    assert.equal(maskTrailingDash("pod-"), "poa");
    assert.equal(maskTrailingDash("-"), "-");
    assert.equal(maskTrailingDash("pod"), "pod");
  });
});
