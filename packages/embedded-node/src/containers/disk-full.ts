/** Whether something could not be written for want of room on the disk: it may be there later. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && codes.has(String(error.code));
}

const codes: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
