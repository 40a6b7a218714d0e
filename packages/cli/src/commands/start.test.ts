import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "../../test/run.ts";

const wrong: Readonly<Record<string, RegExp>> = {
  "start --kubeconfig k --fresh": /--fresh is about the Kubernetes of this machine/,
  "start --context c --port 0": /--port is about the Kubernetes of this machine/,
  "start --config c.yaml": /--config is about a cluster of yours; name it by --kubeconfig/,
};
for (const [line, message] of Object.entries(wrong)) {
  test(`"rookery ${line}" is refused: a flag is about the other way to run`, async () => {
    const { code, errors } = await run(line);
    assert.equal(code, 2);
    assert.match(errors, message);
  });
}
