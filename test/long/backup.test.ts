// Once: PostgreSQL is backed up by its own tools.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkWritten } from '../support/crash.ts'
import { createInstallation, runCli, startServer } from '../support/process.ts'
import { makeToken } from '../support/token.ts'
import { keepWriting } from '../support/writers.ts'

test('a backup of a server that many write to has all that was acknowledged before', async () => {
  const { env, drop } = await createInstallation()
  const elsewhere = mkdtempSync(join(tmpdir(), 'millrace-elsewhere-'))
  const target = { ...env, DATA_DIR: join(elsewhere, 'data') }
  const admin = await makeToken(env, 'early')
  const server = await startServer(env)
  try {
    const since = new Date().toISOString()
    const load = keepWriting(server.url, admin, 20)
    await load.until(50)
    const acknowledged = [...load.written]
    const { code, stderr } = await runCli(['backup', join(elsewhere, 'backup')], env)
    assert.equal(code, 0, stderr)
    const during = load.written.length - acknowledged.length
    assert.ok(during > 0, 'the server was held up')
    await load.stop()
    const restored = await runCli(['restore', join(elsewhere, 'backup')], target)
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(restored.stdout, /The audit trail is whole/)
    const copy = await startServer(target)
    assert.doesNotMatch(copy.output(), /Admin token/)
    await checkWritten(copy.url, admin, { since, written: acknowledged })
    assert.equal((await copy.stop()).code, 0)
  } finally {
    await server.stop('SIGKILL')
    rmSync(elsewhere, { recursive: true, force: true })
    await drop()
  }
})
