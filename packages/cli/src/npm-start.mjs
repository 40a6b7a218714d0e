/**
 * `npm start` brings up the plane, by `rookery start` with the flags that are given; with a command,
 * such as `npm start -- local status`, it runs that one.
 */
const [first] = process.argv.slice(2);
const isForAll = first === "--help" || first === "-h" || first === "--version";
if (first === undefined || (first.startsWith("-") && !isForAll)) process.argv.splice(2, 0, "start");
await import("./rookery.mjs");
