import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ParseError, QuantityError } from "../errors.ts";
import { parseQuantity } from "./parse.ts";
import { milliQuantityOf, type Quantity, quantityOf } from "./quantity.ts";

const formatWrong =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixWrong = "unable to parse quantity's suffix";
const numericWrong = "unable to parse numeric part of quantity";

describe("parseQuantity prints back as apimachinery v0.34.4 does", () => {
  const rows: Record<string, [input: string, printed: string]> = {
    "zero is zero": ["0", "0"],
    "a canonical value stays": ["1500m", "1500m"],
    "a fraction becomes milli": ["1.5", "1500m"],
    "three decimals are taken for canonical and stay": ["1.234", "1.234"],
    "a sign that was written stays": ["+1", "+1"],
    "a leading zero stays": ["01", "01"],
    "a point without digits stays": ["1.G", "1.G"],
    "a leading point is read": [".5", "500m"],
    "thousands move into the suffix": ["1000", "1k"],
    "milli that are whole lose the suffix": ["2000m", "2"],
    "less than milli is kept to the nano": ["0.1m", "100u"],
    "less than nano is rounded up": ["0.1n", "1n"],
    "a negative one is rounded away from zero": ["-0.1n", "-1n"],
    "ten decimals are rounded up to nine": ["3.0000000001", "3000000001n"],
    "an exponent stays an exponent": ["12e6", "12e6"],
    "a capital exponent stays capital": ["12E6", "12E6"],
    "an exponent goes in steps of three": ["1e4", "10e3"],
    "a tiny exponent is rounded up": ["1e-10", "1e-9"],
    "an exponent is cut to 32 bits": ["1e4294967299", "1e4294967299"],
    "exa is not an exponent": ["1E", "1E"],
    "what is past exa loses its suffix": ["1000E", "1"],
    "a binary value stays binary": ["1000Ki", "1000Ki"],
    "a binary value takes the largest suffix": ["1024Ki", "1Mi"],
    "a binary fraction becomes whole": ["1.5Gi", "1536Mi"],
    "a binary value below 1024 is decimal": ["0.5Ki", "512"],
    "a binary value that is not whole is decimal": ["1.1Ki", "1126400m"],
    "a binary value is capped at the largest int64": ["9Ei", "9223372036854775807"],
    "a negative binary value is capped alike": ["-9Ei", "-9223372036854775807"],
    "a decimal value is not capped": ["12345678901234567890", "12345678901234567890"],
    "a bare point is zero": [".", "0"],
    "a bare sign is zero": ["+", "0"],
    "a bare suffix is zero": ["Ki", "0"],
  };
  for (const [name, [input, printed]] of Object.entries(rows)) {
    it(name, () => assert.equal(parseQuantity(input).toString(), printed));
  }
});

describe("parseQuantity refuses in Kubernetes' words", () => {
  const rows: Record<string, [input: string, reason: string]> = {
    "an empty text": ["", formatWrong],
    "a blank before": [" 1", formatWrong],
    "a blank after": ["1 ", formatWrong],
    "two points": ["1.2.3", formatWrong],
    "a hexadecimal number": ["0x10", formatWrong],
    "a letter after an exponent": ["1e3k", formatWrong],
    "a fraction sign": ["½", formatWrong],
    "two signs": ["--1", suffixWrong],
    "a capital kilo": ["1K", suffixWrong],
    "a lower-case kibi": ["1ki", suffixWrong],
    "an exponent without digits": ["1e", suffixWrong],
    "an exponent past 64 bits": ["1e9223372036854775808", suffixWrong],
    "a sum": ["1+5", suffixWrong],
    "a large suffix alone": ["Ei", numericWrong],
    "a long number with an absurd exponent": ["12345678901234567890e99999999", numericWrong],
  };
  for (const [name, [input, reason]] of Object.entries(rows)) {
    it(name, () => {
      assert.throws(
        () => parseQuantity(input),
        (error) => error instanceof ParseError && error.reason === reason && error.input === input,
      );
    });
  }

  it("a megabyte of digits and a bad end, at once", () => {
    assert.throws(() => parseQuantity(`${"0".repeat(1_000_000)}x`), ParseError);
  });
});

describe("isInteger follows how Kubernetes holds the value, not only the value", () => {
  const rows: Record<string, [input: string, integer: bigint | undefined]> = {
    "a plain number": ["2", 2n],
    "a negative number": ["-1", -1n],
    "an exponent": ["12e6", 12_000_000n],
    "a decimal suffix": ["1E", 1_000_000_000_000_000_000n],
    "a binary suffix": ["1Ki", 1024n],
    "milli that are whole are none": ["2000m", undefined],
    "a decimal fraction that is whole is none": ["1.0", undefined],
    "a binary fraction that is whole is none": ["1.5Gi", undefined],
    "what takes more than 18 digits is none": ["9223372036854775807", undefined],
    "what is past int64 is none": ["1e30", undefined],
  };
  for (const [name, [input, integer]] of Object.entries(rows)) {
    it(name, () => {
      const quantity = parseQuantity(input);
      assert.equal(quantity.isInteger, integer !== undefined);
      if (integer === undefined) assert.throws(() => quantity.asInteger(), QuantityError);
      else assert.equal(quantity.asInteger(), integer);
    });
  }
});

describe("arithmetic", () => {
  const rows: Record<string, [a: string, b: string, sum: string, difference: string]> = {
    "the left format wins": ["1Ki", "1k", "2024", "24"],
    "a zero takes the other's format": ["0", "1Ki", "1Ki", "-1Ki"],
    "decimal and exponent": ["1.234", "1Ki", "1025234m", "-1022766m"],
    "past int64 it stays exact": ["1000E", "+1", "1000000000000000000001", "999999999999999999999"],
    "nano and units": ["12e-10", "1", "1000000002e-9", "-999999998e-9"],
  };
  for (const [name, [a, b, sum, difference]] of Object.entries(rows)) {
    it(name, () => {
      assert.equal(parseQuantity(a).add(parseQuantity(b)).toString(), sum);
      assert.equal(parseQuantity(a).sub(parseQuantity(b)).toString(), difference);
    });
  }

  it("refuses a sum that would not fit in memory, and still compares", () => {
    const huge = parseQuantity("1e999999999");
    assert.throws(() => huge.add(parseQuantity("1")), QuantityError);
    assert.equal(huge.compare(parseQuantity("1")), 1);
    assert.equal(parseQuantity("1e-999999999").compare(parseQuantity("1n")), 0);
  });

  it("rounds away from zero where units are asked for", () => {
    assert.equal(parseQuantity("1.1").value(), 2n);
    assert.equal(parseQuantity("-1.1").value(), -2n);
    assert.equal(parseQuantity("1.1").milliValue(), 1100n);
    assert.equal(parseQuantity("1u").milliValue(), 1n);
  });

  it("gives floats, infinite ones past their range", () => {
    assert.equal(parseQuantity("100m").asApproximateFloat(), 0.1);
    assert.equal(parseQuantity("1126.4").asApproximateFloat(), 1126.4);
    assert.equal(parseQuantity("1e400").asApproximateFloat(), Number.POSITIVE_INFINITY);
  });
});

describe("constructors", () => {
  it("make quantities of units and of thousandths", () => {
    assert.equal(quantityOf(2048, "BinarySI").toString(), "2Ki");
    assert.equal(milliQuantityOf(1500).toString(), "1500m");
    assert.equal(parseQuantity(1.5).toString(), "1500m");
    assert.equal(JSON.stringify({ cpu: milliQuantityOf(250n) }), '{"cpu":"250m"}');
  });
});

describe("properties", () => {
  const suffix = fc.constantFrom("", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "e-3");
  const arbitrary: fc.Arbitrary<Quantity> = fc
    .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.nat({ max: 999_999 }), suffix)
    .map(([integer, fraction, suffix]) => parseQuantity(`${integer}.${fraction}${suffix}`));

  it("what is printed is read back as the same value, and printed the same", () => {
    fc.assert(
      fc.property(arbitrary, (quantity) => {
        const again = parseQuantity(quantity.toString());
        assert.equal(again.compare(quantity), 0);
        assert.equal(again.toString(), quantity.toString());
      }),
    );
  });

  it("subtraction undoes addition", () => {
    fc.assert(fc.property(arbitrary, arbitrary, (a, b) => a.add(b).sub(b).equals(a)));
  });

  it("the order is that of the differences' signs", () => {
    fc.assert(fc.property(arbitrary, arbitrary, (a, b) => a.compare(b) === a.sub(b).sign));
  });

  it("any text is read or refused with a ParseError", () => {
    const text = fc.stringMatching(/^[-+0-9.eEinumkKMGTPx ]{0,12}$/);
    fc.assert(
      fc.property(text, (input) => {
        try {
          parseQuantity(input).toString();
        } catch (error) {
          assert.ok(error instanceof ParseError);
        }
      }),
    );
  });
});
