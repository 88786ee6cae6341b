import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { closeToOthers, openModeOf } from './own-files.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('what others could read is closed, and what it leads to outside is left alone', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'own-files-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const outside = join(root, 'outside')
  const folder = join(root, 'data')
  mkdirSync(join(folder, 'a', 'b'), { recursive: true })
  writeFileSync(outside, 'x')
  for (const name of ['top', 'a/one', 'a/b/two', 'a/b/run']) writeFileSync(join(folder, name), 'x')
  symlinkSync(outside, join(folder, 'a', 'link'))
  for (const name of ['', 'a', 'a/b', 'a/b/run']) chmodSync(join(folder, name), 0o755)
  for (const name of ['top', 'a/one', 'a/b/two']) chmodSync(join(folder, name), 0o664)
  chmodSync(outside, 0o644)
  assert.equal(openModeOf(folder), '755')
  assert.deepEqual(closeToOthers(folder), { closed: 7, left: [] })
  assert.equal(openModeOf(folder), undefined)
  for (const name of ['', 'a', 'a/b', 'a/b/run']) assert.equal(modeOf(join(folder, name)), '700', name)
  for (const name of ['top', 'a/one', 'a/b/two']) assert.equal(modeOf(join(folder, name)), '600', name)
  assert.equal(modeOf(outside), '644')
  assert.deepEqual(closeToOthers(folder), { closed: 0, left: [] })
  assert.deepEqual(closeToOthers(join(root, 'none')), { closed: 0, left: [] })
})

test('a folder that is everybody’s is left alone, and told', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'own-files-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'of-others'), 'x')
  chmodSync(join(folder, 'of-others'), 0o644)
  chmodSync(folder, 0o1777)
  const { closed, left } = closeToOthers(folder)
  assert.deepEqual([closed, left.length, modeOf(join(folder, 'of-others'))], [0, 1, '644'])
})
