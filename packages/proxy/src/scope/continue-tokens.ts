import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { resourceExpiredError } from "@rookery/kube";

/** The length of keys that seal `continue` tokens. */
export const continueKeyBytes = 32;

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
/** Sealed tokens are padded, so that they do not reveal the lengths of names. */
const stepBytes = 256;

/** Seals and opens the `continue` tokens of one list. */
export interface ContinueTokens {
  seal(token: string): string;
  /** Throws a StatusError, a 410, for a token of another list or key. */
  open(sealed: string): string;
}

/**
 * An API server's token names the last read object, which the scope may hide, and accepts any
 * name. Sealed tokens are opaque and cannot be forged. `list` binds them to the path and the
 * scope.
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
  // Marks the end of the text before the zeros.
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
