import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestServer } from "../../test/asking.ts";
import type { HealthCheck } from "./health.ts";

const broken: HealthCheck = {
  name: "store",
  check: () => {
    throw new Error("disk full");
  },
};

test("healthy is ok, in words where they are wanted", async () => {
  const { ask } = createTestServer({ livenessChecks: [{ name: "store", check: () => {} }] });
  for (const endpoint of ["healthz", "livez"]) {
    assert.equal((await ask(`/${endpoint}`)).text, "ok");
    const { text } = await ask(`/${endpoint}?verbose`);
    assert.equal(text, `[+]ping ok\n[+]store ok\n${endpoint} check passed\n`);
  }
  assert.equal(
    (await ask("/readyz?verbose")).text,
    "[+]ping ok\n[+]store ok\n[+]shutdown ok\nreadyz check passed\n",
  );
});

test("why something is unhealthy is told to the log alone", async () => {
  const { ask, errors } = createTestServer({ readinessChecks: [broken] });
  const { status, text } = await ask("/readyz");
  assert.equal(status, 500);
  assert.equal(
    text,
    "[+]ping ok\n[-]store failed: reason withheld\n[+]shutdown ok\nreadyz check failed\n",
  );
  assert.match(String(errors[0]), /disk full/);
  assert.equal((await ask("/livez")).status, 200);
});

test("a check can be left out, and one that is not there is told of", async () => {
  const { ask } = createTestServer({ livenessChecks: [broken] });
  const { status, text } = await ask("/livez?verbose&exclude=store&exclude=b&exclude=a");
  assert.equal(status, 200);
  assert.equal(
    text,
    '[+]ping ok\n[+]store excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a", "b"\nlivez check passed\n',
  );
});

test("a check can be asked for alone", async () => {
  const { ask } = createTestServer({ livenessChecks: [broken] });
  assert.equal((await ask("/livez/ping")).text, "ok");
  const { status, text } = await ask("/livez/store");
  assert.equal(status, 500);
  assert.equal(text, "internal server error: disk full\n");
  assert.equal((await ask("/livez/nope")).status, 404);
});
