#!/usr/bin/env node
// The command outside a clone. Plain JavaScript, so that a Node that is too old gets here and says so.
const { version } = process;

if (Number.parseInt(version.slice(1), 10) >= 24) {
  import("./lib/main.js");
} else {
  process.stderr.write(
    `rookery: could not start: it needs Node 24 or newer, and this is Node ${version}; ` +
      "install a newer one (https://nodejs.org)\n",
  );
  process.exitCode = 1;
}
