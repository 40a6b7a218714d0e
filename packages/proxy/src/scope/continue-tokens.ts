import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { resourceExpiredError } from "@rookery/kube";

/** The keys with which `continue` tokens are sealed have so many bytes. */
export const continueKeyBytes = 32;

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
/** Sealed tokens have lengths in such steps, so that they do not tell how long a name is. */
const stepBytes = 256;

/** Seals the `continue` tokens of one list, and opens what was sealed for it. */
export interface ContinueTokens {
  seal(token: string): string;
  /** Throws a StatusError, a 410, for a token that was not sealed for this list with this key. */
  open(sealed: string): string;
}

/**
 * An API server's token names the last object that it looked at, which may be one that a scope drops, and
 * goes on from whatever object it names. Sealed ones say nothing, and nobody makes them up. `list` is
 * what they are bound to: the path of the list, and the scope.
 */
export function createContinueTokens(key: Uint8Array, list: readonly unknown[]): ContinueTokens {
  const bound = Buffer.from(JSON.stringify(list));
  return {
    seal(token) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce).setAAD(bound);
      const text = sealing.update(padded(token));
      return Buffer.concat([nonce, text, sealing.final(), sealing.getAuthTag()]).toString(
        "base64url",
      );
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      const end = bytes.length - tagBytes;
      if (end < nonceBytes) throw unopened();
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes));
      opening.setAAD(bound).setAuthTag(bytes.subarray(end));
      const text = opening.update(bytes.subarray(nonceBytes, end));
      try {
        return unpadded(Buffer.concat([text, opening.final()]));
      } catch {
        throw unopened();
      }
    },
  };
}

function padded(token: string): Buffer {
  const text = Buffer.from(token);
  const steps = Math.ceil((text.length + 1) / stepBytes);
  const result = Buffer.alloc(steps * stepBytes);
  text.copy(result);
  // The end of the text: what follows are zeros, as tokens may have some, too.
  result[text.length] = 1;
  return result;
}

function unpadded(text: Buffer): string {
  return text.subarray(0, text.lastIndexOf(1)).toString();
}

function unopened() {
  return resourceExpiredError(
    "could not open the continue token: this proxy did not make it for this list and its scope, or was started again since; start a new list without the continue parameter",
  );
}
