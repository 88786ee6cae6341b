import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'

const root = join(import.meta.dirname, '..')

/** What a process with these options says about the tests of test/support/uncaught.ts, without times and places. */
function told(...options: string[]): Promise<string[]> {
  const args = [...options, '--test-reporter=spec', 'test/support/uncaught.ts']
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, timeout: 60_000 }, (_error, stdout) => {
      const lines = stripVTControlCharacters(stdout)
        .replaceAll(/\([\d.]+ms\)|duration_ms .*/g, '')
        .split('\n')
      resolve(lines.filter((line) => !/^\s+at /.test(line)).map((line) => line.trimEnd()))
    })
  })
}

test('without async hooks, errors that nobody caught still fail the test that they are of', async () => {
  const [lean, full] = await Promise.all([told('--import=./test/support/lean-runner.ts'), told()])
  assert.deepEqual(lean, full)
  for (const name of ['rejection', 'timer', 'import', 'one', 'outer']) {
    assert.ok(
      lean.some((line) => line.trim() === `✖ ${name}`),
      `${name} did not fail`
    )
  }
  for (const name of ['other', 'deep', 'late', 'last']) {
    assert.ok(
      lean.some((line) => line.trim() === `✔ ${name}`),
      `${name} failed`
    )
  }
  assert.ok(
    lean.some((line) => line.includes('Error: Test "late"')),
    'nothing is told of an error after the end'
  )
})
