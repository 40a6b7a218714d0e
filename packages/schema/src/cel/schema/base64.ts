/**
 * Rules read the format "byte" in the URL-safe alphabet, with padding, whatever it was written in.
 * Where that fails it is the index of what can't be read.
 */
export function decodeBase64Url(text: string): Uint8Array | number {
  const digits = text.replace(/={1,2}$/, "");
  const strange = digits.search(/[^A-Za-z0-9_-]/);
  if (strange >= 0) return strange;
  if (text.length % 4 !== 0) return text.length - (text.length % 4);
  return new Uint8Array(Buffer.from(digits, "base64url"));
}
