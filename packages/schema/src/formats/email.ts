const CHARACTER = "A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\u{10ffff}";
const ATOM = `[${CHARACTER}]+`;
const QUOTED = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const SPACE = "[ \\t]*";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const LOCAL = `(?:${DOT_ATOM}|${QUOTED})`;
const DOMAIN = `(?:${DOT_ATOM}|\\[[^\\[\\]\\\\]*\\])`;
const ADDRESS = `${LOCAL}@${SPACE}${DOMAIN}`;
// There is only one way to read it: with more, a text that fails would take ages.
const PHRASE = `(?:[${CHARACTER}. \\t]|${QUOTED})*`;
const MAILBOX = new RegExp(
  `^${SPACE}(?:${ADDRESS}|${PHRASE}<${SPACE}${ADDRESS}${SPACE}>)${SPACE}$`,
  "u",
);
const MAX_LENGTH = 1024;

/**
 * One mailbox of RFC 5322 with an optional display name, as Go's mail.ParseAddress takes it; comments
 * and groups, which it would take too, are not read.
 */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && MAILBOX.test(text);
}
