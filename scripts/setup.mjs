// Runs before every npm script, on whatever Node the machine has (18 or newer): installs what the
// lock file names when it is not there yet, and makes sure that the scripts run on Node 24 or newer.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".rookery-installed");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .update(`${process.platform}-${process.arch}`)
  .digest("hex");

if (!isInstalled()) install();
requireNode24();

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
}

function install() {
  console.error("rookery: installing dependencies (npm ci), once per lock file …");
  const started = Date.now();
  const npm = process.env.npm_execpath;
  // EBADENGINE warnings are noise here: the packages run on the Node 24 that is being installed.
  // No package runs code of its own at installation, neither of those locked nor of one slipped in.
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const options = { cwd: root, stdio: ["ignore", "inherit", "inherit"] };
  const result = npm?.endsWith("js")
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  if (result.status !== 0) {
    const why = result.error ? result.error.message : `npm ci exited with ${result.status}`;
    fail(
      `could not install dependencies: ${why}. Check the registry settings of npm and try again.`,
    );
  }
  writeFileSync(stamp, wanted);
  console.error(`rookery: installed in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** npm puts node_modules/.bin first on the PATH, so a Node that came with the lock file wins. */
function requireNode24() {
  const brought = join(
    root,
    "node_modules",
    ".bin",
    process.platform === "win32" ? "node.cmd" : "node",
  );
  if (existsSync(brought) || Number.parseInt(process.versions.node, 10) >= 24) return;
  fail(
    `Node 24 or newer is needed. This is Node ${process.versions.node}, and there is no Node package ` +
      `for ${process.platform}-${process.arch} to bring one along: install Node 24 and run this again.`,
  );
}

function fail(message) {
  console.error(`rookery: ${message}`);
  process.exit(1);
}
