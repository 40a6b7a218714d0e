import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatCheck } from "./formats.ts";

describe("formats take what kube-apiserver takes", () => {
  const rows: Record<string, [good: readonly string[], bad: readonly string[]]> = {
    date: [
      ["2024-02-29", "0000-01-01"],
      ["2023-02-29", "2024-2-2", "", "2024-01-01T00:00:00Z"],
    ],
    "date-time": [
      ["2024-02-29T23:59:59Z", "2024-02-29t23:59:59.5z", "2024-01-01T00:00:00+01:00"],
      [
        "2024-02-29 23:59:59Z",
        "2024-02-29T24:00:00Z",
        "2024-02-29T12:00:00",
        "2024-02-30T00:00:00Z",
      ],
    ],
    datetime: [["2024-02-29T23:59:59Z"], ["now"]],
    duration: [
      ["1h30m", "3 days", "1.5h", "2 hours 5 min"],
      ["", "long", "5"],
    ],
    email: [
      ["a@b", "Bob <bob@example.com>", '"Bob B." <b@c.d>', "a.b+c@d", "<a@b>", "J. R. <a@b>"],
      ["", "@b", "a@", "a@b c", "a@b <c@d>", "a..b@c", `${"a..".repeat(300)}`],
    ],
    hostname: [
      ["a", "a-b.example.com", "münchen.example", "a.b.cd"],
      ["", "-a", "a_b", "a.b.c", "a..bc", `${"a".repeat(64)}.com`, `${"a.".repeat(128)}com`],
    ],
    ipv4: [
      ["10.0.0.1", "010.1.2.3", "::ffff:1.2.3.4", "::ffff:01.2.3.4"],
      ["", "1.2.3", "1.2.3.256", "::1", "1.2.3.4:5", "1:2.3.4.5"],
    ],
    ipv6: [
      ["::1", "fe80::1", "::ffff:1.2.3.4"],
      ["", "1.2.3.4", "fe80::1%eth0", "1::2::3", "::ffff:01.2.3.4", "00001::"],
    ],
    cidr: [
      ["10.0.0.0/8", "10.1.2.3/8", "fd00::/8", "00000fd::/08", "010.0.0.0/8"],
      ["", "10.0.0.0", "10.0.0.0/33", "::/129", "a/8", "::/-1", "1::2::3/8", "::%a/8"],
    ],
    mac: [
      ["00:00:5e:00:53:01", "00-00-5e-00-53-01", "0000.5e00.5301"],
      ["00:00:5e:00:53", "00:00-5e:00:53:01"],
    ],
    uri: [
      ["https://example.com/a?b=c#d", "/abs/path", "mailto:a@b"],
      ["", "example.com", "http://a b/", "http://[::1"],
    ],
    uuid: [
      ["01234567-89AB-cdef-0123-456789abcdef", "0123456789abcdef0123456789abcdef"],
      ["0123", "g1234567-89ab-cdef-0123-456789abcdef"],
    ],
    uuid3: [["01234567-89ab-3def-0123-456789abcdef"], ["01234567-89ab-4def-0123-456789abcdef"]],
    uuid4: [["01234567-89ab-4def-8123-456789abcdef"], ["01234567-89ab-4def-0123-456789abcdef"]],
    uuid5: [["01234567-89ab-5def-9123-456789abcdef"], ["01234567-89ab-5def-0123-456789abcdef"]],
    byte: [
      ["aGVsbG8=", "+/+/"],
      ["aGVsbG8", "", "-_-_", "a==="],
    ],
    isbn: [
      ["0321751043", "978-0321751041"],
      ["0321751042", "978-0321751042"],
    ],
    creditcard: [["4220-8554-2622-2389"], ["4220-8554-2622-2380", "1"]],
    ssn: [["000-00-0000"], ["000000000", "000-00-000a"]],
    hexcolor: [
      ["#FFFFFF", "fff"],
      ["#FF", "#GGGGGG"],
    ],
    rgbcolor: [["rgb(0, 31, 255)"], ["rgb(0, 31, 256)", "rgb(0,31)"]],
    bsonobjectid: [["0123456789abcdef01234567"], ["0123456789abcdef0123456"]],
    password: [["", "anything"], []],
  };
  for (const [format, [good, bad]] of Object.entries(rows)) {
    it(format, () => {
      const check = formatCheck(format);
      assert.ok(check);
      for (const text of good) assert.equal(check(text), true, text);
      for (const text of bad) assert.equal(check(text), false, text);
    });
  }

  it("does not check others", () => {
    for (const format of ["int32", "int64", "float", "double", "k8s-short-name", "toString"]) {
      assert.equal(formatCheck(format), undefined);
    }
  });

  it("takes no longer for texts that nearly fit", () => {
    const nearly = [
      "1".repeat(1e5),
      `${"0".repeat(1e5)}x`,
      `${" ".repeat(1e5)}x`,
      "0.".repeat(5e4),
    ];
    for (const format of Object.keys(rows)) {
      for (const text of nearly) assert.equal(typeof formatCheck(format)?.(text), "boolean");
    }
  });
});
