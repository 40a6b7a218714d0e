/** Takes the lock that it is told, says so, and holds it until it is killed. */
import { acquireLock } from "../../src/process/lock.ts";

await acquireLock(process.argv[2] ?? "", { purpose: "holds it for a test" });
process.stdout.write("held\n");
process.stdin.resume();
