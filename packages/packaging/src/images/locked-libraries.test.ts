import assert from "node:assert/strict";
import { test } from "node:test";
import { librariesIn } from "./locked-libraries.ts";

test("libraries are read from what ldd prints", () => {
  const printed = `
	linux-vdso.so.1 (0x00007ffc)
	libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f1)
	/lib64/ld-linux-x86-64.so.2 (0x00007f2)
	libmissing.so => not found
`;
  assert.deepEqual(librariesIn(printed), [
    "/lib/x86_64-linux-gnu/libm.so.6",
    "/lib64/ld-linux-x86-64.so.2",
  ]);
  assert.deepEqual(librariesIn("\tnot a dynamic executable\n"), []);
});
