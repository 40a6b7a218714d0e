import { Duration, type Timestamp } from "../../time.ts";
import { MAX_INT64, MAX_UINT64, MIN_INT64 } from "../values/numbers.ts";
import { CelError, Uint } from "../values/value.ts";

const MIN_EPOCH_SECONDS = -62_135_596_800n;
const MAX_EPOCH_SECONDS = 253_402_300_799n;

/** The value, or an error if it exceeds 64 bits. */
export function checkedInt(value: bigint): bigint | CelError {
  return value >= MIN_INT64 && value <= MAX_INT64 ? value : new CelError("integer overflow");
}

export function checkedUint(value: bigint): Uint | CelError {
  const fits = value >= 0n && value <= MAX_UINT64;
  return fits ? new Uint(value) : new CelError("unsigned integer overflow");
}

export function checkedDuration(nanos: bigint): Duration | CelError {
  const checked = checkedInt(nanos);
  return checked instanceof CelError ? checked : new Duration(checked);
}

/** Within the years 1 to 9999. */
export function checkedTimestamp(time: Timestamp): Timestamp | CelError {
  const seconds = time.epochSeconds;
  const fits = seconds >= MIN_EPOCH_SECONDS && seconds <= MAX_EPOCH_SECONDS;
  return fits ? time : new CelError("timestamp overflow");
}
