import { messageOf } from "@rookery/errors";
import { CheckError } from "../../errors.ts";

/** Opens a TLS connection to the server of a webhook, and closes it. Rejects with why it can't. */
export type Dial = (url: URL, signal: AbortSignal) => Promise<void>;

/** Checks that the server is there and trusted, without sending it anything. Errors: CheckError. */
export async function connect(
  url: URL,
  dial: Dial,
  signal: AbortSignal,
): Promise<{ value: true; message: string }> {
  try {
    await dial(url, signal);
    return { value: true, message: "successfully dialed webhook server" };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const why = messageOf(error);
    throw new CheckError("UnableToDialServer", `could not connect to ${url.host}: ${why}`);
  }
}
