import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { postgresUrl } from '../support/database.ts'
import {
  callServer,
  createInstallation,
  type Env,
  runCli,
  type ServerProcess,
  startServer
} from '../support/process.ts'
import { keepWriting } from '../support/writers.ts'

const root = join(import.meta.dirname, '../..')

describe('the command line beside a server', () => {
  // PostgreSQL is backed up by its own tools.
  const embedded = postgresUrl === undefined
  let installation: Awaited<ReturnType<typeof createInstallation>>
  let env: Env
  let early: string
  let server: ServerProcess

  before(async () => {
    installation = await createInstallation()
    env = installation.env
    early = (await runCli(['token', '--user', 'early', '--role', 'admin'], env)).stdout.trim()
    server = await startServer(env, ['src/cli/main.js', 'serve'])
  })
  after(async () => {
    await server.stop('SIGKILL')
    await installation.drop()
  })

  it('makes a token before the first start, where the secret is there already, that works after it', async () => {
    const { status, body } = await callServer(server.url, early, 'GET', '/api/users/me')
    assert.equal(status, 200)
    assert.equal(body.role, 'admin')
  })

  it('makes tokens as asked for while the server runs', async () => {
    const args = ['token', '--user', 'ada', '--name', 'Ada L.', '--role', 'editor', '--ttl', '90m']
    const { code, stdout, stderr } = await runCli(args, env)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const claims = JSON.parse(Buffer.from(stdout.split('.')[1] as string, 'base64url').toString())
    assert.equal(claims.exp - claims.iat, 90 * 60)
    const { body } = await callServer(server.url, stdout.trim(), 'GET', '/api/users/me')
    assert.deepEqual([body.user.subject, body.user.name, body.role], ['ada', 'Ada L.', 'editor'])
  })

  it('verifies the audit trail while it grows', async () => {
    const load = keepWriting(server.url, early, 20)
    await load.until(50)
    const verify = await runCli(['audit', 'verify', '--json'], env)
    assert.equal(verify.code, 0, verify.stderr)
    const { ok, rowsChecked } = JSON.parse(verify.stdout)
    assert.ok(ok && rowsChecked >= 50)
    await load.stop()
    assert.match((await runCli(['audit', 'verify'], env)).stdout, /^The audit trail is whole: \d+ rows and \d+ check/)
  })

  if (embedded) {
    it('refuses to restore over what a server holds', async () => {
      const elsewhere = mkdtempSync(join(tmpdir(), 'millrace-elsewhere-'))
      assert.equal((await runCli(['backup', join(elsewhere, 'backup')], env)).code, 0)
      const { code, stderr } = await runCli(['restore', join(elsewhere, 'backup'), '--force'], env)
      rmSync(elsewhere, { recursive: true })
      assert.equal(code, 1)
      assert.match(stderr, /in use by another millrace process/)
    })
  }

  it('finds the server in good health', async () => {
    const { code, stdout } = await runCli(['doctor'], { ...env, PORT: new URL(server.url).port })
    assert.equal(code, 0, stdout)
    assert.match(stdout, /ok +server +version/)
    assert.doesNotMatch(stdout, /test-secret|eyJ/)
  })

  it('leaves the server as it was', async () => {
    const ended = await server.stop()
    assert.deepEqual([ended.code, ended.stderr], [0, ''])
  })

  it('ends with 2 for wrong usage, and with 1 for trouble', async () => {
    assert.equal((await runCli(['token'], env)).code, 2)
    const trouble = await runCli(['restore', join(env.DATA_DIR as string, 'none')], env)
    assert.equal(trouble.code, 1)
    assert.match(trouble.stderr, /not a backup/)
  })

  it('runs from anywhere, also through a link', () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-bin-'))
    symlinkSync(join(root, 'bin/millrace'), join(folder, 'millrace'))
    const output = execFileSync(join(folder, 'millrace'), ['--help'], { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    assert.match(output, /^Usage: millrace/)
  })
})
