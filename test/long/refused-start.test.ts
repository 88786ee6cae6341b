import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createInstallation, type Env, runToEnd, startServer } from '../support/process.ts'

describe('a process that can not start', () => {
  let installation: Awaited<ReturnType<typeof createInstallation>>
  let env: Env

  before(async () => {
    installation = await createInstallation()
    env = installation.env
    const server = await startServer(env)
    // As soon as it says that it is ready, it can be stopped, also at its first start, which has a token to show.
    const { code, stderr } = await server.stop()
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  })
  after(() => installation.drop())

  it('lists everything that is wrong with its settings', async () => {
    const { code, stderr } = await runToEnd(['src/main.js'], {
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
    const { code, stderr } = await runToEnd(['src/main.js'], { ...env, SECRET_KEY: 'another-secret-'.repeat(4) })
    assert.equal(code, 1)
    assert.match(stderr, /not the one that this database was sealed with/)
    assert.doesNotMatch(stderr, /another-secret|\n +at /)
  })

  it('says so when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const { code, stderr } = await runToEnd(['src/main.js'], { ...env, PORT: String(port) })
    other.close()
    assert.equal(code, 1)
    assert.match(stderr, /can't listen.*EADDRINUSE.*Set another HOST or PORT/)
    assert.doesNotMatch(stderr, /\n +at /)
  })

  it('says so when its database does not answer', async () => {
    const url = 'postgres://millrace:hush@127.0.0.1:1/millrace'
    const { code, stderr } = await runToEnd(['src/main.js'], { ...env, DATABASE_URL: url })
    assert.equal(code, 1)
    assert.match(stderr, /database does not answer.*Check DATABASE_URL/)
    assert.doesNotMatch(stderr, /hush|\n +at /)
  })

  it('says so when its embedded database is damaged, and blames no setting', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-damaged-'))
    writeFileSync(join(folder, 'metadata.db'), 'no database at all'.repeat(1000))
    writeFileSync(join(folder, 'secret.key'), 'ab'.repeat(32))
    const { code, stderr } = await runToEnd(['src/main.js'], { DATA_DIR: folder, PORT: '0' })
    rmSync(folder, { recursive: true })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /The database is damaged: stop the server and restore it from a backup.*metadata\.db in DATA_DIR/
    )
    assert.doesNotMatch(stderr, /DATABASE_URL|\n +at /)
  })

  it('does not start on data that a restore has left half done', async () => {
    const mark = join(env.DATA_DIR as string, 'restore-unfinished')
    writeFileSync(mark, '')
    const { code, stderr } = await runToEnd(['src/main.js'], env)
    rmSync(mark)
    assert.equal(code, 1)
    assert.match(stderr, /restore.*interrupted.*--force/)
  })
})
