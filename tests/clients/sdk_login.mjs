// The TypeScript SDK's client, as a program of its own: node sdk_login.mjs MODULES URL
// It prints the authorization URL, waits at its callback, then lists the tools twice: with its token, then refreshed.
import { createServer } from "node:http";

const [modules, url] = process.argv.slice(2);
const sdk = (path) => import(`${modules}/@modelcontextprotocol/sdk/dist/esm/client/${path}.js`);
const { Client } = await sdk("index");
const { StreamableHTTPClientTransport } = await sdk("streamableHttp");
const { UnauthorizedError, auth } = await sdk("auth");

let gotCode;
const code = new Promise((resolve) => (gotCode = resolve));
const listener = createServer((request, response) => {
  gotCode(new URL(request.url, "http://127.0.0.1").searchParams.get("code"));
  response.end("done");
});
await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
const callback = `http://127.0.0.1:${listener.address().port}/callback`;

const kept = {};
const provider = {
  redirectUrl: callback,
  clientMetadata: { client_name: "TypeScript SDK", redirect_uris: [callback] },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => (kept.tokens = tokens),
  redirectToAuthorization: (address) => console.log(`Open ${address}\n`),
  saveCodeVerifier: (verifier) => (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
};

async function tools() {
  const client = new Client({ name: "sdk", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  try {
    await client.connect(transport);
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await code);
    return tools();
  }
  const listed = (await client.listTools()).tools.length;
  await client.close();
  return listed;
}

const first = await tools();
const before = kept.tokens.refresh_token;
await auth(provider, { serverUrl: new URL(url) }); // refreshes what it has
const second = await tools();
listener.close();
console.log(`tools: ${first} and ${second}`);
process.exit(first === 13 && second === 13 && kept.tokens.refresh_token !== before ? 0 : 1);
