import { quote } from "@rookery/kube";

export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** The zone of a scoped IPv6 address, or "". */
  readonly zone: string;
}

/** A parse error in the words of Go's netip. */
class IpParseError extends Error {
  constructor(text: string, reason: string, at = "") {
    const place = at === "" ? "" : ` (at ${quote(at)})`;
    super(`ParseAddr(${quote(text)}): ${reason}${place}`);
  }
}

/** As Go's netip.ParseAddr. Throws an IpParseError. */
export function parseIpAddress(text: string): IpAddress {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === ".") return { family: 4, value: parseIpv4(text, text), zone: "" };
  if (first === ":") return parseIpv6(text);
  throw new IpParseError(text, first === "%" ? "missing IPv6 address" : "unable to parse IP");
}

function parseIpv4(part: string, text: string): bigint {
  let value = 0n;
  let offset = 0;
  const octets = part.split(".");
  octets.forEach((octet, index) => {
    if (octet === "") {
      const at = part.slice(Math.min(offset, part.length - 1));
      throw new IpParseError(text, "IPv4 field must have at least one digit", at);
    }
    if (index > 3) throw new IpParseError(text, "IPv4 address too long");
    value = (value << 8n) | parseOctet(octet, text, part.slice(offset));
    offset += octet.length + 1;
  });
  if (octets.length < 4) throw new IpParseError(text, "IPv4 address too short");
  return value;
}

function parseOctet(octet: string, text: string, rest: string): bigint {
  const strange = octet.search(/[^0-9]/);
  if (strange >= 0) throw new IpParseError(text, "unexpected character", rest.slice(strange));
  if (octet.length > 1 && octet.startsWith("0")) {
    throw new IpParseError(text, "IPv4 field has octet with leading zero");
  }
  if (Number(octet) > 255) throw new IpParseError(text, "IPv4 field has value >255");
  return BigInt(octet);
}

function parseIpv6(text: string): IpAddress {
  const percent = text.indexOf("%");
  const zone = percent === -1 ? "" : text.slice(percent + 1);
  if (percent !== -1 && zone === "") {
    throw new IpParseError(text, "zone must be a non-empty string");
  }
  const groups = new Ipv6Reader(text, percent === -1 ? text : text.slice(0, percent)).read();
  return { family: 6, value: groups.reduce((sum, group) => (sum << 16n) | group, 0n), zone };
}

/** Reads groups from left to right, so that errors have Go's position. */
class Ipv6Reader {
  readonly #text: string;
  readonly #groups: bigint[] = [];
  #rest: string;
  /** The number of groups before the "::"; -1 without one. */
  #ellipsis = -1;

  constructor(text: string, address: string) {
    this.#text = text;
    this.#rest = address;
  }

  read(): readonly bigint[] {
    if (this.#rest.startsWith("::")) this.#skipEllipsis(2);
    while (this.#rest !== "" && this.#groups.length < 8) this.#readGroup();
    if (this.#rest !== "") this.#fail("trailing garbage after address");
    return this.#expand();
  }

  #fail(reason: string, at = this.#rest): never {
    throw new IpParseError(this.#text, reason, at);
  }

  #skipEllipsis(width: number): void {
    this.#ellipsis = this.#groups.length;
    this.#rest = this.#rest.slice(width);
  }

  #readGroup(): void {
    const digits = /^[0-9a-fA-F]*/.exec(this.#rest)?.[0] ?? "";
    if (digits.length > 4) this.#fail("each group must have 4 or less digits");
    if (digits === "") this.#fail("each colon-separated field must have at least one digit");
    if (this.#rest[digits.length] === ".") {
      this.#readIpv4();
      return;
    }
    this.#groups.push(BigInt(`0x${digits}`));
    this.#rest = this.#rest.slice(digits.length);
    if (this.#rest !== "") this.#readSeparator();
  }

  #readSeparator(): void {
    if (!this.#rest.startsWith(":")) this.#fail("unexpected character, want colon");
    if (this.#rest.length === 1) this.#fail("colon must be followed by more characters");
    this.#rest = this.#rest.slice(1);
    if (!this.#rest.startsWith(":")) return;
    if (this.#ellipsis >= 0) this.#fail("multiple :: in address");
    this.#skipEllipsis(1);
  }

  #readIpv4(): void {
    if (this.#ellipsis < 0 && this.#groups.length !== 6) {
      this.#fail("embedded IPv4 address must replace the final 2 fields of the address");
    }
    if (this.#groups.length > 6) {
      this.#fail("too many hex fields to fit an embedded IPv4 at the end of the address");
    }
    const value = parseIpv4(this.#rest, this.#text);
    this.#groups.push(value >> 16n, value & 0xffffn);
    this.#rest = "";
  }

  #expand(): readonly bigint[] {
    const missing = 8 - this.#groups.length;
    if (this.#ellipsis < 0) {
      if (missing > 0) this.#fail("address string too short", "");
      return this.#groups;
    }
    if (missing === 0) this.#fail("the :: must expand to at least one field of zeros", "");
    return this.#groups.toSpliced(this.#ellipsis, 0, ...new Array<bigint>(missing).fill(0n));
  }
}

export function isIpv4Mapped({ family, value }: IpAddress): boolean {
  return family === 6 && value >> 32n === 0xffffn;
}

export function formatIpAddress(address: IpAddress): string {
  if (address.family === 4) return formatIpv4(address.value);
  const zone = address.zone && `%${address.zone}`;
  if (isIpv4Mapped(address)) return `::ffff:${formatIpv4(address.value & 0xffffffffn)}${zone}`;
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((address.value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  return compress(groups) + zone;
}

function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
}

/** The first longest run of two or more zero groups becomes "::". */
function compress(groups: readonly string[]): string {
  let [start, length] = [-1, 1];
  for (let i = 0; i < 8; i++) {
    let run = 0;
    while (i + run < 8 && groups[i + run] === "0") run++;
    if (run > length) [start, length] = [i, run];
  }
  if (start === -1) return groups.join(":");
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}
