import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);

/** An ordinary user's process; the code is read before, for they may not be allowed to. */
const script = `
import { RelayListener } from "${import.meta.resolve("./relay-listener.ts")}";
if (process.getuid() === 0) process.setuid(65534);
const listener = (port) => new RelayListener({
  address: { host: "127.97.255.254", port, protocol: process.argv[1], portName: "" },
  choose: () => undefined,
});
const low = await listener(81).open();
const high = listener(0);
console.log(JSON.stringify([low, await high.open()]));
await high.end();
`;

const start = "/proc/sys/net/ipv4/ip_unprivileged_port_start";
const skip = firstOrdinaryPort() > 81 ? false : "ordinary users may open any port here";

for (const protocol of ["TCP", "UDP"]) {
  test(`an ordinary user is told why a ${protocol} port below 1024 stays closed`, {
    skip,
  }, async () => {
    const args = ["--input-type=module", "--eval", script, "--", protocol];
    const { stdout } = await run(process.execPath, args);
    assert.deepEqual(JSON.parse(stdout), [
      "an ordinary user may not open port 81; use a port from 1024 on, or run the node as root or lower net.ipv4.ip_unprivileged_port_start",
      null,
    ]);
  });
}

function firstOrdinaryPort(): number {
  try {
    return Number(readFileSync(start, "utf8"));
  } catch {
    return 0;
  }
}
