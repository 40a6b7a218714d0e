import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { renderConcierge } from "@rookery/concierge";
import { rookeryImage } from "@rookery/packaging";
import {
  createTemporaryFolder,
  type KubernetesNode,
  runCommand,
  startNode,
  type TemporaryFolder,
  waitFor,
} from "@rookery/testing";
import { hostAddress } from "./host-address.ts";
import { loginKubeconfig } from "./login-kubeconfig.ts";
import { OidcIssuer } from "./oidc-issuer.ts";

const image = "rookery.dev/concierge:test";
const suffix = "team1.example.com";
const namespace = "concierge-team1";
const login = `login.concierge.${suffix}`;
const authentication = `authentication.concierge.${suffix}`;

describe("a concierge in pods, installed by its manifests", () => {
  let node: KubernetesNode;
  let folder: TemporaryFolder;
  let issuer: OidcIssuer;

  before(async () => {
    node = await startNode({ shared: true });
    folder = await createTemporaryFolder("concierge-e2e");
    issuer = await OidcIssuer.start(hostAddress());
    await node.importImage(await rookeryImage({ name: image }));
    const manifests = await renderConcierge({ namespace, image, apiGroupSuffix: suffix });
    await apply(...manifests);
    await kubectl("wait", "deployment", "--all", "--for=condition=Available", "--timeout=300s");
    for (const group of ["login", "identity"]) {
      const service = `apiservice/v1alpha1.${group}.concierge.${suffix}`;
      await kubectl("wait", service, "--for=condition=Available", "--timeout=120s");
    }
    await apply({
      apiVersion: `${authentication}/v1alpha1`,
      kind: "JWTAuthenticator",
      metadata: { name: "corp" },
      spec: {
        issuer: issuer.url,
        audience: "team1",
        tls: { certificateAuthorityData: issuer.caData },
      },
    });
    const authenticator = `jwtauthenticators.${authentication}/corp`;
    await kubectl("wait", authenticator, "--for=condition=Ready", "--timeout=120s");
    // The aggregator takes up later what the status of an APIService says already.
    let last = "";
    const isTraded = async () => {
      last = await exchange();
      return last === "credential";
    };
    await waitFor(isTraded, {
      what: "a token to be exchanged",
      timeout: 120_000,
      detail: () => last,
    });
  });

  after(async () => {
    await issuer?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
  });

  const kubectl = (...args: string[]) => node.kubectl([`--namespace=${namespace}`, ...args]);
  const apply = (...manifests: readonly object[]) =>
    node.kubectl(["apply", "--filename=-"], {
      stdin: manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n"),
    });
  const token = () => issuer.token({ username: "pip", groups: ["birds"], aud: "team1" });

  /** "credential", or what else the answer was. */
  async function exchange(): Promise<string> {
    const path = `/apis/${login}/v1alpha1/tokencredentialrequests`;
    const authenticator = { apiGroup: authentication, kind: "JWTAuthenticator", name: "corp" };
    const { status, body } = await node.request("POST", path, {
      as: "anonymous",
      body: {
        apiVersion: `${login}/v1alpha1`,
        kind: "TokenCredentialRequest",
        spec: { token: await token(), authenticator },
      },
    });
    return body.status?.credential ? "credential" : `${status}: ${JSON.stringify(body)}`;
  }

  it("logs a user of kubectl in", async () => {
    const tokenFile = join(folder.path, "token");
    await writeFile(tokenFile, await token());
    const kubeconfig = join(folder.path, "kubeconfig");
    const cacheFolder = join(folder.path, "cache");
    const names = [`--api-group-suffix=${suffix}`, "--authenticator-name=corp"];
    const args = [...names, `--token-file=${tokenFile}`, `--cache-folder=${cacheFolder}`];
    await writeFile(kubeconfig, loginKubeconfig(node, args));
    const whoAmI = ["auth", "whoami", `--kubeconfig=${kubeconfig}`];
    const answer = await runCommand(node.description.kubectl, whoAmI);
    assert.match(answer, /Username +pip\nGroups +\[birds system:authenticated\]/);
    await rm(cacheFolder, { recursive: true });
  });

  it("says by whom certificates are signed", async () => {
    const plural = `credentialissuers.config.concierge.${suffix}`;
    const strategy = await waitFor(
      async () => {
        const { items } = JSON.parse(await kubectl("get", plural, "-o", "json"));
        const [first] = items[0]?.status?.strategies ?? [];
        // What does not work when it is first tried is tried again after half a minute.
        return first?.status === "Success" && first;
      },
      { what: "the CredentialIssuer to say so", timeout: 180_000 },
    );
    assert.deepEqual(
      [strategy.type, strategy.reason],
      ["CertificateSigningRequest", "SignedRequest"],
    );
  });

  it("answers every request while its pods are replaced one after another", async () => {
    const answers = new Map<string, number>();
    let isOver = false;
    const ask = async () => {
      while (!isOver) {
        const answer = await exchange();
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    };
    const asking = ask();
    await kubectl("rollout", "restart", "deployment/rookery-concierge");
    await kubectl("rollout", "status", "deployment/rookery-concierge", "--timeout=300s");
    isOver = true;
    await asking;
    assert.deepEqual([...answers.keys()], ["credential"], JSON.stringify([...answers]));
  });
});
