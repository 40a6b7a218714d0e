/** `rename|recode <megabytes>`: prints the most memory that this process had resident, in bytes. */
import { createJsonRenamer } from "@rookery/group-suffix";
import { mapping, nestList, renameDecoded } from "./lists.ts";

const [, , how, megabytes] = process.argv;
const chunkBytes = 64 * 1024;
const part = nestList("nests.pinniped.dev", 100);
const head = part.subarray(0, part.indexOf("[") + 1);
const items = part.subarray(part.lastIndexOf('"items":[') + '"items":['.length, -3);
const separator = Buffer.from(",");

/** A list as it comes from a socket, never as a whole. */
function* list(bytes: number): Generator<Buffer> {
  yield head;
  for (let sent = 0; sent < bytes; sent += items.length) {
    if (sent > 0) yield separator;
    for (let at = 0; at < items.length; at += chunkBytes) {
      yield Buffer.from(items.subarray(at, at + chunkBytes));
    }
  }
  yield Buffer.from("]}\n");
}

const chunks = list(Number(megabytes) * 1e6);
if (how === "rename") rename();
else recode();
console.log(process.resourceUsage().maxRSS * 1024);

function rename(): void {
  const stream = createJsonRenamer({ mapping }).stream(undefined);
  for (const chunk of chunks) stream.push(chunk);
  stream.end();
}

function recode(): void {
  const decoded = JSON.parse(Buffer.concat([...chunks]).toString());
  renameDecoded(decoded);
  Buffer.from(JSON.stringify(decoded));
}
