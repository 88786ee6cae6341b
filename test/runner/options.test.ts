import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { readOptions, USAGE } from './options.ts'

test('words are parts of paths, and what begins with two dashes is known or refused', () => {
  assert.deepEqual(readOptions(['jobs', '--changed', 'audit']), {
    kinds: ['usual'],
    onlyChanged: true,
    remember: false,
    help: false,
    words: ['jobs', 'audit']
  })
  assert.deepEqual(readOptions(['--long']).kinds, ['long'])
  assert.deepEqual(readOptions(['--postgres']).kinds, ['postgres'])
  assert.deepEqual(readOptions(['--postgres', '--long']).kinds, ['long', 'postgres'])
  assert.throws(() => readOptions(['--chnaged']), /--chnaged is not known; there is --postgres, --long, --changed/)
})

test('--help prints the usage', () => {
  const root = join(import.meta.dirname, '../..')
  assert.equal(execFileSync(process.execPath, ['test/run.ts', '--help'], { cwd: root, encoding: 'utf8' }), `${USAGE}\n`)
})
