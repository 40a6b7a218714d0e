import { UnavailableError } from "./errors.ts";

/**
 * Why a suite cannot run here, for its `skip`: what `get` fails to get with an UnavailableError. False
 * where it can be had.
 */
export async function whyUnavailable(get: () => Promise<unknown>): Promise<string | false> {
  try {
    await get();
    return false;
  } catch (error) {
    if (error instanceof UnavailableError) return `NOT RUN: ${error.message}`;
    throw error;
  }
}
