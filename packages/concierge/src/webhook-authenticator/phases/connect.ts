import { messageOf } from "@rookery/errors";
import type { Checked } from "../../authenticators/checklist.ts";
import { CheckError } from "../../errors.ts";

/** Opens and closes a TLS connection to the server of a webhook. Rejects if it fails. */
export type Dial = (url: URL, signal: AbortSignal) => Promise<void>;

/** Checks that the server is reachable and trusted, without sending data. Errors: CheckError. */
export async function connect(url: URL, dial: Dial, signal: AbortSignal): Promise<Checked<true>> {
  try {
    await dial(url, signal);
    return { value: true, message: "successfully dialed webhook server" };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const why = messageOf(error);
    throw new CheckError("UnableToDialServer", `could not connect to ${url.host}: ${why}`);
  }
}
