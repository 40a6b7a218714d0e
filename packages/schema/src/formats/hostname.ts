const encoder = new TextEncoder();
const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

/** A host name of RFC 1034, letters of any script included. */
export function isHostname(text: string): boolean {
  if (text.length > 255 || encoder.encode(text).length > 255) return false;
  const short = text.split(".").every((label) => encoder.encode(label).length <= 63);
  return short && HOSTNAME.test(text);
}
