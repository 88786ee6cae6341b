import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

test('schemas are fewer than 150 files, the area and the engine together, so that one person can know them all', () => {
  const found = globSync('src/{areas,engines}/schemas/**', { cwd: root, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).length
  assert.ok(files > 0)
  assert.ok(files < 150, `there are ${files}: join some before you add another`)
})
