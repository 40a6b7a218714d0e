// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates under test are plain strings
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type Component,
  clusterctlProvider,
  componentKeyOf,
  defaultProviders,
  formatComponentKey,
  inspectVariables,
  parseComponents,
  renderComponents,
  replaceVariables,
} from "@rookery/components";
import { clusterApiProviders, clusterApiRelease, clusterApiVersions } from "@rookery/testing";
import fc from "fast-check";
import { withoutGo } from "./go-programs.ts";
import { askClusterctl, type Question } from "./judge.ts";

const variables = { NAME: "rookery", PATH: "a/b/c", EMPTY: "", WORD: "Éa", VERSION: "v1.13.6" };
const lookup = (name: string) =>
  Object.hasOwn(variables, name) ? variables[name as "NAME"] : undefined;

/** Templates that a machine thinks of: pieces of all that envsubst knows, well and badly put together. */
const template = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "${NAME}",
        "${ PATH }",
        "$$",
        "$",
        "text ",
        "}",
        "{",
        "${",
        "\n",
        "\\",
        "é",
        ":",
        "${#WORD}",
        "${EMPTY:-d}",
        "${X:=d}",
        "${X}",
      ),
      fc
        .tuple(
          fc.constantFrom("NAME", "PATH", "EMPTY", "WORD", "VERSION", "X"),
          fc.constantFrom(
            "",
            ":=",
            ":-",
            "=",
            ":?",
            ":+",
            ":",
            "^",
            "^^",
            ",",
            ",,",
            "#",
            "##",
            "%",
            "%%",
            "/",
            "//",
            "/#",
            "/%",
            "-",
            "+",
          ),
          fc.constantFrom(
            "",
            "a",
            "*",
            "*/",
            "/*",
            "?",
            "[a-c]",
            "[^a]",
            "[",
            "1",
            "-2",
            "1:2",
            "0:3",
            "x/y",
            "a/",
            "/",
            "\\//-",
            "${NAME}",
            "a${X:=b}c",
            "r*k",
            "ery/s",
          ),
        )
        // clusterctl cuts bytes off by patterns, and with them characters in half.
        .filter(([name, operation]) => name !== "WORD" || !/[#%:]/.test(operation))
        .map(([name, operation, argument]) => `\${${name}${operation}${argument}}`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""));

const yamlLine = fc
  .tuple(
    fc.constantFrom("", "  ", "    "),
    fc.constantFrom("", "- ", "a: ", "b:", '"c": ', "- d: ", "on: ", "1: "),
    fc.constantFrom(
      "x",
      "1",
      "yes",
      "010",
      "0o7",
      "1_0",
      "0x1f",
      ".5",
      "1e3",
      "~",
      "'q'",
      '"q\\n"',
      "{}",
      "[a, 1]",
      "x y",
      "2020-01-01",
      "1:30",
      "|",
      ">-",
      "+1",
      "-",
      "08",
      "-0b1",
    ),
  )
  .map((parts) => parts.join(""));
const yamlText = fc
  .array(yamlLine, { minLength: 1, maxLength: 5 })
  .map((lines) => `${lines.join("\n")}\n`);

const outcome = <T>(work: () => T): { value?: T; failed: boolean } => {
  try {
    return { value: work(), failed: false };
  } catch {
    return { failed: true };
  }
};

describe("beside the real clusterctl", { skip: await withoutGo() }, () => {
  test("every provider that clusterctl knows has the same URL here", async () => {
    const [answer] = await askClusterctl([{ ask: "providers" }]);
    const known = answer?.value as {
      Name: string;
      ProviderType: string;
      URL: string;
      File: string;
    }[];
    const ours = new Map(defaultProviders().map(({ kind, name, url }) => [`${kind} ${name}`, url]));
    assert.equal(known.length, 63);
    for (const { Name, ProviderType, URL, File } of known) {
      assert.equal(ours.get(`${ProviderType} ${Name}`), `${URL}${File}`);
    }
  });

  test("variables are replaced as clusterctl replaces them", async () => {
    const templates = fc.sample(template, { numRuns: 3000, seed: 7 });
    const questions = templates.map((text): Question => ({ ask: "replace", text, variables }));
    for (const [index, answer] of (await askClusterctl(questions)).entries()) {
      const text = templates[index] ?? "";
      // A negative length makes clusterctl panic; a bad template has to be an error here too.
      if (answer.error?.startsWith("panic")) continue;
      const ours = outcome(() => replaceVariables(text, lookup));
      assert.deepEqual(
        ours,
        answer.error === undefined ? { value: answer.value, failed: false } : { failed: true },
        text,
      );
    }
  });

  test("variables are inspected as clusterctl inspects them", async () => {
    const templates = fc.sample(template, { numRuns: 1000, seed: 8 });
    const questions = templates.map((text): Question => ({ ask: "inspect", text }));
    for (const [index, answer] of (await askClusterctl(questions)).entries()) {
      const text = templates[index] ?? "";
      const ours = outcome(() =>
        Object.fromEntries(inspectVariables(text).map((one) => [one.name, one.default ?? null])),
      );
      assert.deepEqual(
        ours,
        answer.error === undefined ? { value: answer.value, failed: false } : { failed: true },
        text,
      );
    }
  });

  test("YAML is read as Go reads it", async () => {
    const object = (text: string) =>
      `apiVersion: v1\nkind: X\nmetadata: {name: nest}\nspec:\n${text.replace(/^/gm, "  ")}`;
    const texts = fc.sample(yamlText, { numRuns: 3000, seed: 9 }).map(object);
    const questions = texts.map((text): Question => ({ ask: "yaml", text }));
    let compared = 0;
    for (const [index, answer] of (await askClusterctl(questions)).entries()) {
      const text = texts[index] ?? "";
      const ours = outcome(() => parseComponents(text)[0]);
      // Keys that are there twice are refused here, and taken by Go.
      if (ours.failed || answer.error !== undefined) continue;
      assert.deepEqual(ours.value, answer.value, text);
      compared += 1;
    }
    assert.ok(compared > 500, `only ${compared} texts were YAML for both`);
  });

  for (const version of clusterApiVersions) {
    for (const provider of clusterApiProviders) {
      test(`${provider.file} ${version} is rendered as clusterctl renders it`, async () => {
        const { components: text } = await clusterApiRelease(provider, version);
        const { kind: type, name } = provider;
        const images = "all: {repository: mirror.example/capi}\n";
        const [answer] = await askClusterctl([
          {
            ask: "render",
            text,
            name,
            type,
            version,
            namespace: "elsewhere",
            images,
            variables: { EXP_MACHINE_POOL: "false" },
          },
        ]);
        const theirs = answer?.value as {
          objects: Component[];
          images: string[];
          inventory: Component;
        };
        const replaced = replaceVariables(text, (one) =>
          one === "EXP_MACHINE_POOL" ? "false" : undefined,
        );
        const ours = renderComponents({
          provider,
          version,
          components: parseComponents(replaced),
          namespace: "elsewhere",
          imageOverrides: { all: { repository: "mirror.example/capi" } },
        });
        assert.deepEqual(byKey(ours.components), byKey(theirs.objects));
        assert.deepEqual(ours.images, theirs.images);
        const inventory = clusterctlProvider({ provider, version, namespace: "elsewhere" });
        assert.deepEqual(prune(inventory), prune(theirs.inventory));
      });
    }
  }
});

function byKey(components: readonly Component[]): Record<string, unknown> {
  return Object.fromEntries(
    components.map(({ status: _, ...one }) => [
      formatComponentKey(componentKeyOf(one)),
      prune(one),
    ]),
  );
}

/** clusterctl reads objects into Go's types and writes them again, with what is empty in them. */
function prune(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.length > 0 ? value.map((item) => prune(item) ?? {}) : undefined;
  }
  if (typeof value !== "object" || value === null) return value ?? undefined;
  const fields = Object.entries(value)
    .map(([name, field]) => [name, prune(field)] as const)
    .filter(([, field]) => field !== undefined);
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
