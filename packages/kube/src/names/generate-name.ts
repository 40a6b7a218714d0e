/** No vowels and nothing that looks like one, so that no word comes of it. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const maxBaseLength = 63 - suffixLength;

/**
 * A name for an object that has only a generateName: the base, cut so that the whole stays within 63
 * characters, and five random ones. `random` gives numbers from 0 up to, but not including, 1.
 */
export function generateName(base: string, random: () => number = Math.random): string {
  let name = base.slice(0, maxBaseLength);
  for (let i = 0; i < suffixLength; i++) {
    name += alphabet.charAt(Math.floor(random() * alphabet.length));
  }
  return name;
}

/**
 * The form in which a generateName is validated: Kubernetes puts a letter in place of the last two
 * characters where the base ends in a dash, because a suffix will follow.
 */
export function maskTrailingDash(base: string): string {
  return base.length > 1 && base.endsWith("-") ? `${base.slice(0, -2)}a` : base;
}
