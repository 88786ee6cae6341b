import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import { type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createOutbound } from './index.ts'
import { selfSigned } from './testing/certificate.ts'
import { listen, serve, serveTcp } from './testing/servers.ts'

function open(t: TestContext) {
  const lookup = async () => [{ address: '127.0.0.1' }]
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], lookup })
  t.after(() => outbound.close())
  return outbound
}

async function serveTls(t: TestContext, name: string) {
  const certificate = selfSigned(name)
  const server = createServer(certificate, (request, response) => {
    const { servername } = request.socket as typeof request.socket & { servername?: string }
    response.end(JSON.stringify({ servername, host: request.headers.host }))
  })
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { ...(await listen(server, {})), cert: certificate.cert }
}

function trust(t: TestContext, cert: string): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  t.after(() => setDefaultCACertificates(before))
}

test('the name of the URL is the one greeted, asked for and checked, though the address is pinned', async (t) => {
  const { port, cert } = await serveTls(t, 'service.example')
  trust(t, cert)
  const response = await open(t).request(`https://service.example.:${port}/`)
  assert.deepEqual(await response.json(), { servername: 'service.example', host: `service.example:${port}` })
  assert.equal(response.address, '127.0.0.1')
})

test('a trusted certificate for another name is refused', async (t) => {
  const { port, cert } = await serveTls(t, 'service.example')
  trust(t, cert)
  for (const host of ['other.example', '127.0.0.1']) {
    await assert.rejects(open(t).request(`https://${host}:${port}/`), { code: 'tls', message: /for another name/ })
  }
})

test('a certificate nobody vouches for is refused, even if the environment says not to check', async (t) => {
  const { port } = await serveTls(t, 'service.example')
  t.mock.method(process, 'emitWarning', () => {})
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  await assert.rejects(open(t).request(`https://service.example:${port}/`), {
    code: 'tls',
    message: /SELF_SIGNED_CERT.*check its certificate/
  })
})

test('a port that speaks no TLS, or hangs up on it, is a TLS failure', async (t) => {
  const plain = await serve(t, (_request, response) => response.end())
  const rude = await serveTcp(t, (socket) => socket.once('data', () => socket.destroy()))
  for (const { port } of [plain, rude]) {
    await assert.rejects(open(t).request(`https://service.example:${port}/`), { code: 'tls', message: /speaks HTTPS/ })
  }
})
