const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * Rules read the format "byte" in the URL-safe alphabet, with padding, whatever it was written in.
 * Where that fails it is the index of what can't be read.
 */
export function decodeBase64Url(text: string): Uint8Array | number {
  const digits = text.replace(/={1,2}$/, "");
  const strange = digits.search(/[^A-Za-z0-9_-]/);
  if (strange >= 0) return strange;
  if (text.length % 4 !== 0) return text.length - (text.length % 4);
  const bytes = new Uint8Array(Math.floor((digits.length * 6) / 8));
  let [buffer, bits, index] = [0, 0, 0];
  for (const digit of digits) {
    buffer = ((buffer << 6) | ALPHABET.indexOf(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[index++] = (buffer >> bits) & 0xff;
  }
  return bytes;
}
