import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import {
  type BodyWriter,
  compose,
  type Handler,
  type HttpResponse,
  type Sink,
} from "@rookery/http";
import { encodeEnvelope, protobufMediaType, WireWriter } from "@rookery/kube";
import { parse, stringify } from "yaml";
import { type Ask, answer, ask } from "../../test/interceptor/server.ts";
import { exampleMapping, exampleRules } from "../../test/rules/kinds.ts";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import { renameGroups } from "./rename-groups.ts";

const rename = renameGroups({ mapping: exampleMapping, rules: exampleRules });
const crontabs = "/apis/a.example.com/v1/namespaces/n/crontabs";
const virtual = JSON.stringify({ apiVersion: "a.example.com/v1", kind: "CronTab" });
const real = virtual.replace("example.com", "team1.org");

describe("without a mapping", () => {
  it("there is no interceptor, and the chain is the same object as without the feature", () => {
    for (const pairs of [[], [{ virtual: "pinniped.dev", real: "pinniped.dev" }]]) {
      const interceptor = renameGroups({ mapping: createGroupMapping(pairs) });
      assert.equal(interceptor, undefined);
      const handler: Handler = () => ({ status: 200, headers: {} });
      assert.equal(compose(handler, ...(interceptor ? [interceptor] : [])), handler);
    }
  });
});

describe("a request", () => {
  const sent: Record<string, [type: string, body: string, expected: string]> = {
    JSON: ["application/json", virtual, real],
    "JSON with parameters": ["application/json; charset=utf-8", virtual, real],
    "a merge patch": ["application/merge-patch+json", virtual, real],
    "a strategic merge patch": ["application/strategic-merge-patch+json", virtual, real],
    YAML: ["application/yaml", "apiVersion: a.example.com/v1\n", "apiVersion: a.team1.org/v1\n"],
    "an applied configuration": ["application/apply-patch+yaml", virtual, real],
    "a JSON Patch": [
      "application/json-patch+json",
      '[{"op":"test","path":"/apiVersion","value":"a.example.com/v1"}]',
      '[{"op":"test","path":"/apiVersion","value":"a.team1.org/v1"}]',
    ],
  };
  for (const [name, [type, body, expected]] of Object.entries(sent)) {
    it(`is renamed as ${name}, with its length`, async () => {
      const headers = { "content-type": type, "content-length": `${body.length}` };
      const { received } = await ask(rename, { method: "POST", path: crontabs, headers, body });
      assert.equal(received[0]?.request.path, crontabs.replace("example.com", "team1.org"));
      assert.equal(received[0]?.body, expected);
      assert.equal(received[0]?.request.headers["content-length"], `${expected.length}`);
      assert.equal(received[0]?.request.headers["content-type"], type);
    });
  }

  it("that has nothing to rename goes on as it came", async () => {
    const body = Buffer.from('{"kind":"Pod","apiVersion":"v1"}');
    let same = false;
    const handler = rename?.((request) => {
      same = request.body === body;
      return answer("{}");
    });
    assert.ok(handler);
    const { request } =
      (await ask((next) => next, { method: "POST", path: "/api/v1/pods", body })).received[0] ?? {};
    assert.ok(request);
    await handler(request);
    assert.ok(same);
  });

  const refused: Record<string, [ask: Parameters<typeof ask>[1], status: number, reason: string]> =
    {
      "names a real group": [{ path: "/apis/a.team1.org/v1/crontabs" }, 404, "NotFound"],
      "has a body that is no JSON": [{ path: crontabs, body: "{" }, 400, "BadRequest"],
      "has a body that is something else than its type says": [
        { path: crontabs, body: "apiVersion: a.example.com/v1" },
        400,
        "BadRequest",
      ],
      "has a body that is not as long as it says": [
        { path: crontabs, headers: { "content-length": "3" }, body: virtual },
        400,
        "BadRequest",
      ],
      "has YAML that cannot be read": [
        { path: crontabs, headers: { "content-type": "application/yaml" }, body: "a: [" },
        400,
        "BadRequest",
      ],
      "has CBOR": [
        { path: crontabs, headers: { "content-type": "application/cbor" }, body: "x" },
        415,
        "UnsupportedMediaType",
      ],
      "applies CBOR": [
        { path: crontabs, headers: { "content-type": "application/apply-patch+cbor" }, body: "x" },
        415,
        "UnsupportedMediaType",
      ],
      "has a body that is packed": [
        { path: crontabs, headers: { "content-encoding": "gzip" }, body: gzipSync(virtual) },
        415,
        "UnsupportedMediaType",
      ],
      "takes only CBOR": [
        { path: crontabs, headers: { accept: "application/cbor;q=1" } },
        406,
        "NotAcceptable",
      ],
      "takes only OpenAPI version 3 as Protobuf": [
        {
          path: "/openapi/v3/apis/a.example.com/v1",
          headers: { accept: "application/com.github.proto-openapi.spec.v3@v1.0+protobuf" },
        },
        406,
        "NotAcceptable",
      ],
      "gives its kind twice": [
        { path: crontabs, body: '{"kind":"A","metadata":{},"kind":"B"}' },
        400,
        "BadRequest",
      ],
    };
  for (const [name, [request, status, reason]] of Object.entries(refused)) {
    it(`that ${name} is refused with ${status}, and never sent on`, async () => {
      const { response, text, received } = await ask(rename, { method: "POST", ...request });
      assert.equal(response.status, status);
      assert.equal(JSON.parse(text).kind, "Status");
      assert.equal(JSON.parse(text).reason, reason);
      assert.deepEqual(received, []);
    });
  }

  it("that is refused is read to its end, once", async () => {
    let runs = 0;
    const body: BodyWriter = (sink) => {
      runs++;
      sink.write(Buffer.from(virtual));
    };
    await ask(rename, { method: "POST", path: "/apis/a.team1.org/v1/crontabs", body });
    assert.equal(runs, 1);
  });

  it("does not ask for what cannot be read", async () => {
    const headers = {
      accept:
        "application/cbor, application/vnd.kubernetes.protobuf;q=0.9,application/json;as=Table",
      "accept-encoding": "gzip",
    };
    const { received } = await ask(rename, { path: crontabs, headers });
    const { accept, "accept-encoding": encoding } = received[0]?.request.headers ?? {};
    assert.equal(accept, "application/vnd.kubernetes.protobuf;q=0.9,application/json;as=Table");
    assert.equal(encoding, undefined);
  });
});

describe("CEL", () => {
  const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
  const policy = (...expressions: string[]) => ({
    kind: "ValidatingAdmissionPolicy",
    apiVersion: "admissionregistration.k8s.io/v1",
    spec: { validations: expressions.map((expression) => ({ expression })) },
  });
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const definition = (group: string, ...rules: [top: string, within: string]) => {
    const [top, within] = rules.map((rule) => ({
      "x-kubernetes-validations": [{ rule, message: "no" }],
    }));
    const openAPIV3Schema = { properties: { spec: { items: within } }, ...top };
    return {
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v1",
      spec: { group, versions: [{ schema: { openAPIV3Schema } }] },
    };
  };
  const webhook = (group: string) => ({
    kind: "MutatingWebhookConfiguration",
    apiVersion: "admissionregistration.k8s.io/v1",
    webhooks: [
      { matchConditions: [{ name: "x", expression: `request.kind.group == '${group}'` }] },
    ],
  });

  const renamed: Record<string, [path: string, (group: string) => object]> = {
    "a policy": [policies, (group) => policy(`object.apiVersion == '${group}/v1'`, "true")],
    "a webhook": ["/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", webhook],
    "a definition": [
      definitions,
      (group) => definition(group, `self.apiVersion == '${group}/v1'`, "true"),
    ],
  };
  for (const [what, [path, bodyOf]] of Object.entries(renamed)) {
    it(`of ${what} is renamed on its way there and back, where that is certain`, async () => {
      for (const type of ["application/json", "application/yaml"]) {
        const write = type === "application/json" ? JSON.stringify : stringify;
        const { received, text, response } = await ask(
          rename,
          {
            method: "POST",
            path,
            body: write(bodyOf("a.example.com")),
            headers: { "content-type": type },
          },
          ({ body }) => answer(body, { "content-type": type }),
        );
        assert.deepEqual(parse(received[0]?.body ?? ""), bodyOf("a.team1.org"));
        assert.deepEqual(parse(text), bodyOf("a.example.com"));
        assert.equal(response.headers.warning, undefined);
      }
    });
  }

  const uncertain: Record<string, [path: string, body: object]> = {
    "a policy": [policies, policy("object.metadata.labels['a.example.com'] == 'x'", "true")],
    "a part of a schema": [
      definitions,
      definition("a.example.com", "true", "self.apiVersion == 'a.example.com/v1'"),
    ],
  };
  for (const [what, [path, body]] of Object.entries(uncertain)) {
    it(`of ${what} that names a group otherwise stays as it is, and the client is warned`, async () => {
      const logged: string[] = [];
      const warning = renameGroups({
        mapping: exampleMapping,
        onWarning: (text) => logged.push(text),
      });
      const upstream = () => answer({}, { warning: '299 - "the server\'s own"' });
      for (let i = 0; i < 2; i++) {
        const { received, response } = await ask(warning, { method: "POST", path, body }, upstream);
        const sent = received[0]?.body.replaceAll("a.team1.org", "a.example.com") ?? "";
        assert.deepEqual(JSON.parse(sent), body);
        const [own, added, ...others] = [response.headers.warning ?? []].flat();
        assert.equal(own, '299 - "the server\'s own"');
        assert.match(
          added ?? "",
          /^299 - "could not rename a\.example\.com in CEL of a .*request\.kind\.group.*"$/,
        );
        assert.doesNotMatch(added ?? "", /team1/);
        assert.deepEqual(others, []);
      }
      assert.equal(logged.length, 1);
    });
  }

  it("in an answer warns nobody but the log", async () => {
    const { response } = await ask(rename, { path: policies }, () =>
      answer(policy("object.metadata.name == 'a.example.com'")),
    );
    assert.equal(response.headers.warning, undefined);
  });
});

describe("an answer", () => {
  const whole: Record<string, HttpResponse> = {
    "in one piece": answer(real),
    "in chunks": answer([Buffer.from(real.slice(0, 9)), Buffer.from(real.slice(9))]),
    "with a length": answer(writerOf(real), { "content-length": `${real.length}` }),
    "without a length": answer(writerOf(real)),
    "that is packed": answer(gzipSync(real), { "content-encoding": "gzip", "content-length": "1" }),
    "with a status that tells of a failure": answer(real, {}, 409),
  };
  for (const [name, response] of Object.entries(whole)) {
    it(`${name} is renamed`, async () => {
      const { text, response: renamed } = await ask(rename, { path: crontabs }, () => response);
      assert.equal(text, virtual);
      assert.equal(renamed.status, response.status);
      assert.equal(renamed.headers["content-encoding"], undefined);
      const length = renamed.headers["content-length"];
      assert.ok(length === undefined || length === `${virtual.length}`);
    });
  }

  it("goes on in as many chunks as it came in, however many names are in them", async () => {
    const list = `{"kind":"CronTabList","apiVersion":"a.team1.org/v1","items":[${real},${real},${real}]}`;
    const response = await responseOf({ path: crontabs }, answer(writerOf(list)));
    const chunks: string[] = [];
    await run(response, (chunk) => chunks.push(Buffer.from(chunk).toString()));
    assert.equal(chunks.join(""), list.replaceAll("team1.org", "example.com"));
    assert.ok(chunks.length <= 3, JSON.stringify(chunks));
  });

  it("that has nothing to rename is the very same bytes", async () => {
    const body = Buffer.from('{"kind":"Pod","apiVersion":"v1"}');
    const handler = rename?.(() => answer(body));
    const { request } = (await ask((next) => next, { path: "/api/v1/pods/x" })).received[0] ?? {};
    assert.ok(handler && request);
    assert.equal((await handler(request)).body, body);
  });

  it("of a watch is renamed event by event, each as soon as it is there", async () => {
    const event = (type: string) => `{"type":"${type}","object":${real}}\n`;
    const seen: string[] = [];
    const events = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"].map(event);
    const failure = `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","message":"a.team1.org/v1 is gone"}}\n`;
    const writer: BodyWriter = (sink) => {
      for (const text of [...events, failure]) {
        const before = seen.length;
        sink.write(Buffer.from(text));
        assert.ok(seen.length > before);
      }
    };
    const query = "watch=true";
    const response = await responseOf({ path: crontabs, query }, answer(writer));
    await run(response, (chunk) => seen.push(Buffer.from(chunk).toString()));
    const expected = [...events, failure].join("").replaceAll("team1.org", "example.com");
    assert.equal(seen.join(""), expected);
  });

  it("to a watch that fails is a Status", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      message: "a.team1.org/v1 is gone",
      code: 410,
    };
    const { text } = await ask(rename, { path: crontabs, query: "watch=1" }, () =>
      answer(status, {}, 410),
    );
    assert.equal(JSON.parse(text).message, "a.example.com/v1 is gone");
  });

  it("waits for a reader that is slow", async () => {
    let waits = 0;
    const writer: BodyWriter = async (sink) => {
      for (const part of [real.slice(0, 20), real.slice(20)]) {
        if (sink.write(Buffer.from(part))) continue;
        waits++;
        await sink.drained();
      }
    };
    const response = await responseOf({ path: crontabs }, answer(writer));
    const written: Uint8Array[] = [];
    let drains = 0;
    const sink: Sink = {
      write: (chunk) => written.push(chunk) < 0,
      drained: async () => {
        drains++;
      },
      signal: new AbortController().signal,
    };
    assert.ok(typeof response.body === "function");
    await response.body(sink);
    assert.equal(Buffer.concat(written).toString(), virtual);
    assert.ok(drains > 0 && drains === waits);
  });

  const broken: Record<string, [text: string, expected: RegExp]> = {
    "ends too early": [real.slice(0, -1), /ends too early/],
    "turns out not to be JSON": [`${real}}`, /something follows its end/],
  };
  for (const [name, [text, expected]] of Object.entries(broken)) {
    it(`that ${name} after it has begun ends with a reset`, async () => {
      const response = await responseOf({ path: crontabs }, answer(writerOf(text)));
      assert.equal(response.status, 200);
      await assert.rejects(
        run(response, () => {}),
        expected,
      );
    });

    it(`that ${name} before it has begun is an internal error`, async () => {
      const { response, text: body } = await ask(rename, { path: crontabs }, () => answer(text));
      assert.equal(response.status, 500);
      assert.match(JSON.parse(body).message, expected);
    });
  }

  it("that turns out bad tells its writer to stop", async () => {
    let stopped: unknown;
    const writer: BodyWriter = async (sink) => {
      sink.write(Buffer.from("}"));
      await sink.drained().catch((error: unknown) => {
        stopped = error;
        throw error;
      });
    };
    const response = await responseOf({ path: crontabs }, answer(writer));
    await assert.rejects(
      run(response, () => {}),
      /malformed/,
    );
    assert.ok(stopped instanceof Error);
  });

  it("whose reader has gone tells its writer so", async () => {
    const gone = new AbortController();
    const writer: BodyWriter = (sink) =>
      new Promise((_, reject) =>
        sink.signal.addEventListener("abort", () => reject(sink.signal.reason)),
      );
    const response = await responseOf({ path: crontabs }, answer(writer));
    const reading = run(response, () => {}, gone.signal);
    gone.abort(new Error("gone"));
    await assert.rejects(reading, /gone/);
  });

  it("of a type that nobody reads is refused on a mapped resource, and passes on others", async () => {
    const headers = { "content-type": "application/cbor" };
    const mapped = await ask(rename, { path: crontabs }, () => answer("x", headers));
    assert.equal(mapped.response.status, 500);
    const other = await ask(rename, { path: "/api/v1/pods" }, () => answer("x", headers));
    assert.equal(other.text, "x");
  });

  it("without a body keeps its status, and its tag is marked", async () => {
    const { response } = await ask(rename, { path: "/apis" }, () => ({
      status: 304,
      headers: { etag: '"abc"' },
    }));
    assert.equal(response.status, 304);
    assert.match(`${response.headers.etag}`, /^"abc-[0-9a-f]{12}"$/);
  });

  it("with a tag is known again by it, and by no tag from elsewhere", async () => {
    const first = await ask(rename, { path: "/apis" }, () => answer("{}", { etag: 'W/"abc"' }));
    const tag = `${first.response.headers.etag}`;
    const tagSent = async (tags: string) => {
      const { received } = await ask(rename, { path: "/apis", headers: { "if-none-match": tags } });
      return received[0]?.request.headers["if-none-match"];
    };
    assert.equal(await tagSent(tag), 'W/"abc"');
    assert.equal(await tagSent(`"other", ${tag}`), 'W/"abc"');
    assert.equal(await tagSent('"abc"'), undefined);
    assert.equal(await tagSent("*"), "*");
  });

  it("has its warnings and its location renamed", async () => {
    const headers = {
      warning: '299 - "a.team1.org/v1 CronTab is deprecated"',
      location: "/openapi/v3/apis/a.team1.org/v1?hash=A",
    };
    const { response } = await ask(rename, { path: "/apis" }, () => answer("{}", headers));
    assert.equal(response.headers.warning, '299 - "a.example.com/v1 CronTab is deprecated"');
    assert.match(
      `${response.headers.location}`,
      /^\/openapi\/v3\/apis\/a.example.com\/v1\?hash=A-/,
    );
  });

  it("that switches protocols is handed on, and only the path is renamed", async () => {
    const upgrade = () => {};
    const path = "/apis/a.example.com/v1/namespaces/n/crontabs/x/exec";
    const { response, received } = await ask(
      rename,
      { path, query: "command=a.example.com" },
      () => ({
        status: 101,
        headers: {},
        upgrade,
      }),
    );
    assert.equal(response.upgrade, upgrade);
    assert.equal(received[0]?.request.path, path.replace("example.com", "team1.org"));
    assert.equal(received[0]?.request.query, "command=a.example.com");
  });

  it("of something that is tunnelled is not read", async () => {
    const path = "/api/v1/namespaces/n/services/x/proxy/apis/a.example.com";
    const { text, received } = await ask(
      rename,
      { method: "POST", path, body: "{a.example.com", headers: { "accept-encoding": "gzip" } },
      () => answer("{a.team1.org"),
    );
    assert.equal(text, "{a.team1.org");
    assert.equal(received[0]?.body, "{a.example.com");
    assert.equal(received[0]?.request.path, path);
  });

  for (const part of ["log", "exec", "proxy", "proxy/a/b"]) {
    it(`that fails in place of a tunnel is a Status, which is renamed: ${part}`, async () => {
      const path = `${crontabs}/x/${part}`;
      const details = { name: "x", group: "a.team1.org", kind: "crontabs" };
      const failure = { kind: "Status", apiVersion: "v1", status: "Failure", details };
      const { text } = await ask(rename, { path }, () => answer(failure, {}, 404));
      assert.equal(JSON.parse(text).details.group, "a.example.com");
    });
  }

  it("to a watch that would switch the protocol is a refusal: nobody reads its frames", async () => {
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    for (const parts of [
      { path: crontabs, query: "watch=1" },
      { path: crontabs.replace("/v1/", "/v1/watch/") },
      { path: "/api/v1/pods", query: "watch=1" },
      { path: "/apis" },
    ]) {
      const { response, text, received } = await ask(rename, { ...parts, headers });
      assert.deepEqual([response.status, received], [400, []]);
      assert.match(text, /without the header Upgrade/);
    }
  });

  it("at the root has its paths renamed", async () => {
    const paths = ["/apis", "/apis/a.team1.org", "/apis/a.team1.org/v1"];
    const { text } = await ask(rename, { path: "/" }, () => answer({ paths }));
    assert.deepEqual(JSON.parse(text).paths, [
      "/apis",
      "/apis/a.example.com",
      "/apis/a.example.com/v1",
    ]);
  });
});

describe("a definition whose name is too long only under its real group", () => {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const long = { virtual: "example.com", real: `${"a".repeat(60)}.${"b".repeat(60)}.org` };
  const mapped = renameGroups({ mapping: createGroupMapping([long]) });
  const definition = (plural: string) => ({
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: `${plural}.stable.example.com` },
    spec: { group: "stable.example.com" },
  });
  const tooLong = definition("c".repeat(130));
  const bodies: Readonly<Record<string, Ask>> = {
    JSON: { path, body: tooLong },
    YAML: { path, headers: { "content-type": "application/yaml" }, body: stringify(tooLong) },
    Protobuf: {
      path,
      headers: { "content-type": protobufMediaType },
      body: encodeEnvelope({
        typeMeta: { apiVersion: tooLong.apiVersion, kind: tooLong.kind },
        raw: new WireWriter()
          .message(1, (metadata) => metadata.string(1, tooLong.metadata.name))
          .finish(),
      }).finish(),
    },
  };
  for (const [encoding, request] of Object.entries(bodies)) {
    it(`is refused in the app's words, as ${encoding}`, async () => {
      const { response, text, received } = await ask(mapped, { method: "POST", ...request });
      assert.equal(response.status, 422);
      assert.match(text, /c\.stable\.example\.com/);
      assert.match(text, /metadata.name: Too long: .* choose a shorter suffix/);
      assert.deepEqual(received, []);
    });
  }

  it("is sent on where it is short enough, or too long in any case", async () => {
    for (const plural of ["crontabs", "c".repeat(250)]) {
      const { received } = await ask(mapped, { method: "POST", path, body: definition(plural) });
      assert.equal(received.length, 1);
    }
  });
});

describe("the list of groups", () => {
  const aggregated = (...groups: string[]) => ({
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    items: groups.map((name) => ({ metadata: { name }, versions: [] })),
  });
  const legacy = (...groups: string[]) => ({
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: groups.map((name) => ({ name, versions: [] })),
  });
  for (const [name, list] of Object.entries({ aggregated, legacy })) {
    it(`that is ${name} has the app's own group, and not that of the other instance`, async () => {
      const there = list("apps", "a.example.com", "a.team1.org", "b.team1.org", "team1.org");
      for (const body of [answer(there), answer(writerOf(JSON.stringify(there)))]) {
        const { text } = await ask(rename, { path: "/apis" }, () => body);
        assert.deepEqual(
          JSON.parse(text),
          list("apps", "a.example.com", "b.example.com", "team1.org"),
        );
      }
    });
  }

  it("is the same as YAML", async () => {
    for (const list of [aggregated, legacy]) {
      const there = stringify(list("apps", "a.example.com", "a.team1.org", "b.team1.org"));
      const type = { "content-type": "application/yaml" };
      const { text } = await ask(rename, { path: "/apis" }, () => answer(there, type));
      assert.deepEqual(parse(text), list("apps", "a.example.com", "b.example.com"));
    }
  });

  it("that cannot be had is a Status", async () => {
    const status = { kind: "Status", apiVersion: "v1", message: "no a.team1.org", code: 403 };
    for (const path of ["/apis", "/openapi/v3", "/openapi/v2"]) {
      const { text } = await ask(rename, { path }, () => answer(status, {}, 403));
      assert.equal(JSON.parse(text).message, "no a.example.com");
      const plain = { "content-type": "text/plain" };
      const gone = await ask(rename, { path }, () => answer("404 page not found\n", plain, 404));
      assert.equal(gone.text, "404 page not found\n");
    }
  });
});

describe("OpenAPI", () => {
  it("has documents with paths, models, references and kinds renamed", async () => {
    const document = (suffix: string, reversed: string, camel: string) => ({
      openapi: "3.0.0",
      info: { title: "a.team1.org" },
      paths: {
        [`/apis/a.${suffix}/v1/crontabs`]: {
          get: {
            tags: [`a${camel}_v1`, "a.team1.org"],
            operationId: `listA${camel}V1CronTab`,
            "x-kubernetes-group-version-kind": { group: `a.${suffix}`, version: "v1" },
            schema: { $ref: `#/components/schemas/${reversed}.a.v1.CronTab` },
          },
        },
      },
      components: {
        schemas: {
          [`${reversed}.a.v1.CronTab`]: {
            properties: {
              $ref: { type: "string" },
              tags: { items: { $ref: `#/components/schemas/${reversed}.a.v1.Tag` } },
              operationId: { $ref: `#/components/schemas/${reversed}.a.v1.Tag` },
            },
            "x-kubernetes-group-version-kind": [{ group: `a.${suffix}`, kind: "CronTab" }],
          },
        },
      },
      definitions: {
        [`${reversed}.a.v1.CronTab`]: { $ref: "#/definitions/io.k8s.api.core.v1.Pod" },
      },
    });
    const { text } = await ask(rename, { path: "/openapi/v3/apis/a.example.com/v1" }, () =>
      answer(document("team1.org", "org.team1", "Team1Org")),
    );
    assert.deepEqual(JSON.parse(text), document("example.com", "com.example", "ExampleCom"));
  });

  it("has an index whose URLs change with the mapping, and lead back", async () => {
    const { text } = await ask(rename, { path: "/openapi/v3" }, () =>
      answer({
        paths: {
          "apis/a.team1.org/v1": { serverRelativeURL: "/openapi/v3/apis/a.team1.org/v1?hash=A1" },
        },
      }),
    );
    const [key, { serverRelativeURL }] = Object.entries(
      JSON.parse(text).paths as Record<string, { serverRelativeURL: string }>,
    )[0] ?? ["", { serverRelativeURL: "" }];
    assert.equal(key, "apis/a.example.com/v1");
    const [path = "", query = ""] = serverRelativeURL.split("?");
    assert.match(query, /^hash=A1-[0-9a-f]{12}$/);
    const { received } = await ask(rename, { path, query });
    assert.equal(received[0]?.request.path, "/openapi/v3/apis/a.team1.org/v1");
    assert.equal(received[0]?.request.query, "hash=A1");
  });

  it("has an index that API servers call text", async () => {
    const { text } = await ask(rename, { path: "/openapi/v3" }, () =>
      answer({ paths: { "apis/a.team1.org/v1": {} } }, { "content-type": "text/plain" }),
    );
    assert.deepEqual(JSON.parse(text), { paths: { "apis/a.example.com/v1": {} } });
  });
});

function writerOf(text: string): BodyWriter {
  return (sink) => {
    sink.write(Buffer.from(text.slice(0, 10)));
    sink.write(Buffer.from(text.slice(10)));
  };
}

/** The answer with its body unread. */
async function responseOf(request: { path: string; query?: string }, response: HttpResponse) {
  const { request: asked } = (await ask((next) => next, request)).received[0] ?? {};
  const handler = rename?.(() => response);
  if (handler === undefined || asked === undefined) throw new Error("there is no interceptor");
  return handler(asked);
}

async function run(
  { body }: HttpResponse,
  take: (chunk: Uint8Array) => void,
  signal = new AbortController().signal,
): Promise<void> {
  if (typeof body !== "function") throw new Error("the body is no writer");
  await body({
    write(chunk) {
      take(chunk);
      return true;
    },
    drained: async () => {},
    signal,
  });
}
