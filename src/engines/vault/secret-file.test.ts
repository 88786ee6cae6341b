import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { readOrMakeSecret } from './secret-file.ts'

function newFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-secret-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data', 'secret')
}

test('a secret is made once, for its owner only, and read from then on', (t) => {
  const file = newFile(t)
  const first = readOrMakeSecret(file)
  assert.ok(first.made)
  assert.equal(Buffer.from(first.secret, 'base64url').length, 32)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const content = readFileSync(file, 'utf8')
  assert.deepEqual(readOrMakeSecret(file), { secret: first.secret, made: false })
  assert.equal(readFileSync(file, 'utf8'), content)
})

test('one is made beside what a process with the same number left when it was killed', (t) => {
  const file = newFile(t)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, '')
  assert.ok(readOrMakeSecret(file).made)
})

test('every file gets a secret of its own', (t) => {
  assert.notEqual(readOrMakeSecret(newFile(t)).secret, readOrMakeSecret(newFile(t)).secret)
})

test('a secret that was put there by hand is read without the line end', (t) => {
  const file = newFile(t)
  readOrMakeSecret(file)
  const secret = 'put-here-by-hand-and-long-enough-to-do'
  writeFileSync(file, `${secret}\r\n`)
  assert.deepEqual(readOrMakeSecret(file), { secret, made: false })
})

test('a damaged file is named and left alone, and what is in it is not told', (t) => {
  const file = newFile(t)
  readOrMakeSecret(file)
  for (const damaged of ['', '\n', 'half-of-it']) {
    writeFileSync(file, damaged)
    assert.throws(
      () => readOrMakeSecret(file),
      (error: Error) =>
        error.message.includes(file) && /damaged.*backup/.test(error.message) && !/half/.test(error.message)
    )
    assert.equal(readFileSync(file, 'utf8'), damaged)
  }
})

test('what can’t be read is not replaced', (t) => {
  const file = newFile(t)
  mkdirSync(file, { recursive: true })
  assert.throws(() => readOrMakeSecret(file), { code: 'EISDIR' })
  assert.ok(existsSync(file))
})

test('a path that leads through a file is an error, not a new secret', (t) => {
  const file = newFile(t)
  readOrMakeSecret(file)
  assert.throws(() => readOrMakeSecret(join(file, 'below')), { code: 'ENOTDIR' })
})

test('of several processes that make it at once, all have the same', async (t) => {
  const file = newFile(t)
  const program = `import { readOrMakeSecret } from ${JSON.stringify(new URL('./secret-file.ts', import.meta.url).href)}
    process.stdout.write(readOrMakeSecret(${JSON.stringify(file)}).secret)`
  const run = promisify(execFile)
  const made = await Promise.all(
    Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', program]))
  )
  assert.equal(new Set(made.map(({ stdout }) => stdout)).size, 1)
  assert.deepEqual(readdirSync(dirname(file)), [basename(file)])
})
