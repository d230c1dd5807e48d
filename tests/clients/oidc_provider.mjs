// node-oidc-provider as it comes, with its own sign-in and consent pages: node oidc_provider.mjs MODULES REDIRECT CLAIMS
// It prints its issuer. Whoever signs in, with any password, has the claims beside the name they typed.
import { createServer } from "node:http";

const [modules, redirect, claims] = process.argv.slice(2);
const { Provider } = await import(`${modules}/oidc-provider/lib/index.js`);

const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: "pendesk", client_secret: "the-secret-of-the-client", redirect_uris: [redirect] }],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...JSON.parse(claims) }) }),
});
server.on("request", provider.callback());
console.log(issuer);
