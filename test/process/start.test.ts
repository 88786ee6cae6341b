import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import { postgresUrl } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import {
  callServer,
  createInstallation,
  type Env,
  runToEnd,
  type ServerProcess,
  startServer
} from '../support/process.ts'
import { assertMs } from '../support/yardstick.ts'

const MAX_START_MS = 2000
const MAX_STOP_MS = 5000

describe('a process', () => {
  let installation: Awaited<ReturnType<typeof createInstallation>>
  let env: Env
  let token: string

  before(async () => {
    installation = await createInstallation()
    env = installation.env
  })
  after(async () => {
    await installation.drop()
    assertMs(Math.min(...startsMs), MAX_START_MS)
  })

  const startsMs: number[] = []
  async function launch(t: TestContext): Promise<ServerProcess> {
    const server = await startServer(env)
    t.after(() => server.stop('SIGKILL'))
    startsMs.push(server.startedInMs)
    return server
  }

  it('is ready soon, and prints how to sign in when it starts for the first time', async (t) => {
    const server = await launch(t)
    const health = await fetch(`${server.url}/api/health`)
    assert.equal(health.status, 200)
    ;[, token = ''] = /Admin token +(\S+)/.exec(server.output()) ?? []
    assert.ok(server.output().includes(`${server.url}/#token=${token}`))
    const me = await callServer(server.url, token, 'GET', '/api/users/me')
    assert.equal(me.body.role, 'admin')
    const made = await callServer(server.url, token, 'POST', '/api/api-keys', { name: 'kept' })
    assert.equal(made.status, 201)
    assert.equal((await server.stop()).code, 0)
  })

  it('logs which variables may be misspelt settings, and when it stops', async (t) => {
    const server = await startServer({ ...env, LOG_LEVEL: 'info', RATE_LIMITS: '5', HOSTNAME: 'x' })
    t.after(() => server.stop('SIGKILL'))
    assert.match(server.logged(), /RATE_LIMITS is not a setting and is ignored; RATE_LIMIT is one/)
    assert.doesNotMatch(server.logged(), /HOSTNAME/)
    assert.equal((await fetch(`${server.url}/api/health`)).status, 200)
    const { code, stderr } = await server.stop()
    assert.equal(code, 0)
    assert.match(stderr, /"signal":"SIGTERM","msg":"stopping: .*\n.*"msg":"stopped"/s)
  })

  it('finds its data again, and prints no token', async (t) => {
    const server = await launch(t)
    assert.doesNotMatch(server.output(), /eyJ/)
    const { body } = await callServer(server.url, token, 'GET', '/api/api-keys')
    assert.deepEqual(
      body.apiKeys.map(({ name }: { name: string }) => name),
      ['kept']
    )
    assert.equal((await server.stop('SIGINT')).code, 0)
  })

  // Replicas with a shared database may share the folder too.
  if (postgresUrl === undefined) {
    it('is refused while another one serves the same folder', async (t) => {
      const server = await launch(t)
      const second = await runToEnd(['src/main.js'], env)
      assert.equal(second.code, 1)
      assert.match(second.stderr, /in use by another millrace process\. Stop it, or set DATA_DIR/)
      assert.equal((await server.stop()).code, 0)
    })
  }

  it('ends a request that has begun before it ends itself', async (t) => {
    const server = await launch(t)
    const request = slowRequest(server.url, token, JSON.stringify({ name: 'slowly' }))
    await request.begun
    const startedMs = performance.now()
    const stopping = server.stop()
    await eventually(() => refused(server.url))
    request.finish()
    assert.match(await request.answer, /^HTTP\/1\.1 201 /)
    const ended = await stopping
    assert.equal(ended.code, 0, ended.stderr)
    assertMs(performance.now() - startedMs, MAX_STOP_MS)
  })
})

/** A request whose body does not end before it is told to, on a connection that the client does not close. */
function slowRequest(url: string, token: string, body: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const head = `POST /api/api-keys HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () => resolve(received.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, '')))
  })
  socket.write(head + body.slice(0, 5))
  return {
    begun: eventually(() => received.startsWith('HTTP/1.1 100 ')),
    finish: () => socket.write(body.slice(5)),
    answer
  }
}

/** Whether the server takes no new connections any more. */
async function refused(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}
