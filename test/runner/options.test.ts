import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { readOptions, USAGE } from './options.ts'

test('words are parts of paths, and what begins with two dashes is known or refused', () => {
  assert.deepEqual(readOptions(['jobs', '--changed', 'audit']), {
    kind: 'usual',
    onlyChanged: true,
    remember: false,
    help: false,
    words: ['jobs', 'audit']
  })
  assert.equal(readOptions(['--long']).kind, 'long')
  assert.equal(readOptions(['--postgres']).kind, 'postgres')
  assert.throws(() => readOptions(['--chnaged']), /--chnaged is not known; there is --postgres, --long, --changed/)
  assert.throws(() => readOptions(['--long', '--postgres']), /leave out --postgres/)
})

test('--help prints the usage', () => {
  const root = join(import.meta.dirname, '../..')
  assert.equal(execFileSync(process.execPath, ['test/run.ts', '--help'], { cwd: root, encoding: 'utf8' }), `${USAGE}\n`)
})
