import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { proxyFromEnvironment } from "./proxy-environment.ts";

const proxy = "http://proxy:3128";

describe("proxyFromEnvironment", () => {
  const rows: Record<string, [server: string, env: NodeJS.ProcessEnv, expected?: string]> = {
    "an https server goes by HTTPS_PROXY": ["https://a.b", { HTTPS_PROXY: proxy }, proxy],
    "lower case counts as well": ["https://a.b", { https_proxy: proxy }, proxy],
    "an http server goes by HTTP_PROXY": ["http://a.b", { HTTP_PROXY: proxy }, proxy],
    "an https server does not go by HTTP_PROXY": ["https://a.b", { HTTP_PROXY: proxy }],
    "a proxy without scheme is http": ["https://a.b", { HTTPS_PROXY: "proxy:3128" }, proxy],
    "loopback goes by none": ["https://127.1.2.3:6443", { HTTPS_PROXY: proxy }],
    "localhost goes by none": ["https://localhost:6443", { HTTPS_PROXY: proxy }],
    "IPv6 loopback goes by none": ["https://[::1]:6443", { HTTPS_PROXY: proxy }],
    "an exception for all": ["https://a.b", { HTTPS_PROXY: proxy, NO_PROXY: "*" }],
    "an exception for the host": ["https://a.b", { HTTPS_PROXY: proxy, NO_PROXY: "x, a.b" }],
    "an exception for the domain above": ["https://a.b", { HTTPS_PROXY: proxy, no_proxy: "b" }],
    "an exception below a domain": ["https://a.b", { HTTPS_PROXY: proxy, NO_PROXY: ".b" }],
    "an exception with a star": ["https://a.b", { HTTPS_PROXY: proxy, NO_PROXY: "*.b" }],
    "below a domain is not the domain": [
      "https://b",
      { HTTPS_PROXY: proxy, NO_PROXY: ".b" },
      proxy,
    ],
    "another name that ends alike": ["https://ab", { HTTPS_PROXY: proxy, NO_PROXY: "b" }, proxy],
    "an exception for an address": [
      "https://10.0.0.1",
      { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.1" },
    ],
    "an exception for a network": [
      "https://10.0.0.1",
      { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/8" },
    ],
    "outside of the network": [
      "https://11.0.0.1",
      { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/8" },
      proxy,
    ],
    "an exception for an IPv6 network": [
      "https://[fd00::1]",
      { HTTPS_PROXY: proxy, NO_PROXY: "fd00::/8" },
    ],
    "a network that is none": [
      "https://10.0.0.1",
      { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/99" },
      proxy,
    ],
    "an exception for this port": [
      "https://a.b:6443",
      { HTTPS_PROXY: proxy, NO_PROXY: "a.b:6443" },
    ],
    "an exception for another port": [
      "https://a.b:6443",
      { HTTPS_PROXY: proxy, NO_PROXY: "a.b:443" },
      proxy,
    ],
    "an exception for the scheme's port": [
      "https://a.b",
      { HTTPS_PROXY: proxy, NO_PROXY: "a.b:443" },
    ],
  };
  for (const [name, [server, env, expected]] of Object.entries(rows)) {
    it(name, () => assert.equal(proxyFromEnvironment(server, env), expected));
  }
});
