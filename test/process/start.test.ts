import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const MAX_START_MS = 2000
/** While the machine is so busy that none was quick. */
const MORE_STARTS = 10
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
    // The quickest: others may be using the machine.
    for (let more = 0; more < MORE_STARTS && Math.min(...startsMs) >= MAX_START_MS; more++) {
      const server = await startServer(env)
      startsMs.push(server.startedInMs)
      await server.stop()
    }
    await installation.drop()
    assert.ok(Math.min(...startsMs) < MAX_START_MS, `starts took ${startsMs.map(Math.round)} ms`)
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
      const second = await runToEnd(['src/main.ts'], env)
      assert.equal(second.code, 1)
      assert.match(second.stderr, /in use by another millrace process\. Stop it, or set DATA_DIR/)
      assert.equal((await server.stop()).code, 0)
    })
  }

  it('lists everything that is wrong with its settings', async () => {
    const { code, stderr } = await runToEnd(['src/main.ts'], {
      ...env,
      PORT: 'x',
      LOG_LEVEL: 'loud',
      SECRET_KEY: 'abc'
    })
    assert.equal(code, 1)
    for (const part of [/3 problem/, /PORT must/, /LOG_LEVEL must/, /SECRET_KEY must/, /doctor/])
      assert.match(stderr, part)
  })

  it('is refused with another secret than that of its data', async () => {
    const { code, stderr } = await runToEnd(['src/main.ts'], { ...env, SECRET_KEY: 'another-secret-'.repeat(4) })
    assert.equal(code, 1)
    assert.match(stderr, /not the one that this database was sealed with/)
    assert.doesNotMatch(stderr, /another-secret|\n +at /)
  })

  it('says so when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const { code, stderr } = await runToEnd(['src/main.ts'], { ...env, PORT: String(port) })
    other.close()
    assert.equal(code, 1)
    assert.match(stderr, /can't listen.*EADDRINUSE.*Set another HOST or PORT/)
    assert.doesNotMatch(stderr, /\n +at /)
  })

  it('says so when its database does not answer', async () => {
    const url = 'postgres://millrace:hush@127.0.0.1:1/millrace'
    const { code, stderr } = await runToEnd(['src/main.ts'], { ...env, DATABASE_URL: url })
    assert.equal(code, 1)
    assert.match(stderr, /database does not answer.*Check DATABASE_URL/)
    assert.doesNotMatch(stderr, /hush|\n +at /)
  })

  it('says so when its embedded database is damaged, and blames no setting', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-damaged-'))
    writeFileSync(join(folder, 'metadata.db'), 'no database at all'.repeat(1000))
    writeFileSync(join(folder, 'secret.key'), 'ab'.repeat(32))
    const { code, stderr } = await runToEnd(['src/main.ts'], { DATA_DIR: folder, PORT: '0' })
    rmSync(folder, { recursive: true })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /The database is damaged: stop the server and restore it from a backup.*metadata\.db in DATA_DIR/
    )
    assert.doesNotMatch(stderr, /DATABASE_URL|\n +at /)
  })

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
    assert.ok(performance.now() - startedMs < MAX_STOP_MS)
  })

  it('does not start on data that a restore has left half done', async () => {
    const mark = join(env.DATA_DIR as string, 'restore-unfinished')
    writeFileSync(mark, '')
    const { code, stderr } = await runToEnd(['src/main.ts'], env)
    rmSync(mark)
    assert.equal(code, 1)
    assert.match(stderr, /restore.*interrupted.*--force/)
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
