import { describeValue, type MakeRead, type Reading } from "./reading.ts";
import { describeInteger } from "./scalars.ts";

const byteItem = (value: unknown, reading: Reading): number => {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256) return Number(value);
  if (value !== null) reading.mismatch(describeInteger(value, reading), "uint8");
  return 0;
};

/** Base64 text, or a list of numbers, which Go takes for bytes too. */
export const bytesReader: MakeRead =
  ({ name }) =>
  (value, reading) => {
    if (typeof value === "string") return canonicalBase64(value, reading);
    if (!Array.isArray(value)) return reading.mismatch(describeValue(value), name);
    return Buffer.from(value.map((item) => byteItem(item, reading))).toString("base64");
  };

const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

function canonicalBase64(value: string, reading: Reading): string | undefined {
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, "") : value;
  if (text.length % 4 !== 0 || !base64Text.test(text)) {
    return reading.problem(`illegal base64 data at input byte ${corruptByte(value)}`);
  }
  return Buffer.from(text, "base64").toString("base64");
}

/** Where Go's decoder stops. */
function corruptByte(value: string): number {
  const bytes = Buffer.from(value);
  let digits = 0;
  for (let at = 0; at < bytes.length; at++) {
    const character = String.fromCharCode(bytes[at] ?? 0);
    if (character === "\r" || character === "\n") continue;
    if (character === "=") return corruptPadding(bytes, at, digits % 4);
    if (!/[A-Za-z0-9+/]/.test(character)) return at;
    digits++;
  }
  return bytes.length - (digits % 4);
}

/** At the first "=": too early, alone where two are needed, or with something behind it. */
function corruptPadding(bytes: Buffer, at: number, digits: number): number {
  const next = (from: number) => {
    let end = from;
    while (bytes[end] === 0x0a || bytes[end] === 0x0d) end++;
    return end;
  };
  if (digits < 2) return at;
  let end = next(at + 1);
  if (digits === 2) {
    if (end === bytes.length) return bytes.length;
    if (bytes[end] !== 0x3d) return end - 1;
    end = next(end + 1);
  }
  return end;
}
