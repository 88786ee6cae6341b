import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { changedPaths, concerned } from './changed.ts'

const FILES = {
  'src/deep.ts': 'export const deep = 1',
  'src/middle.ts': "export { deep } from './deep.ts'",
  'src/lazy.ts': 'export const lazy = 1',
  'src/server.ts': "import('./lazy.ts')",
  'src/shape.ts': 'export type Shape = string',
  'test/deep.test.ts': "import '../src/middle.ts'",
  'test/process.test.ts': "spawn('node', ['src/server.ts'])",
  'test/typed.test.ts': "import type { Shape } from '../src/shape.ts'",
  'test/docs.test.ts': "globSync(['*.md', 'docs/**/*.md'])",
  'docs/one/two.md': 'text',
  'package.json': '{}'
}
const TESTS = Object.keys(FILES).filter((file) => file.endsWith('.test.ts'))

let root: string

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function git(...args: string[]): void {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.org']
  execFileSync('git', [...who, ...args], { cwd: root, stdio: 'ignore' })
}

before(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-changed-'))
  for (const [path, text] of Object.entries(FILES)) write(path, text)
  git('init', '--initial-branch=main')
  git('add', '.')
  git('commit', '--message=first')
})

after(() => rmSync(root, { recursive: true, force: true }))

test('what is committed on a branch, what is not and what is new count; what happened on main does not', () => {
  git('checkout', '-b', 'work')
  git('checkout', 'main')
  write('src/lazy.ts', 'export const lazy = 2')
  git('commit', '--all', '--message=on main')
  git('checkout', 'work')
  assert.deepEqual(changedPaths(root), [])
  write('src/deep.ts', 'export const deep = 2')
  git('commit', '--all', '--message=on the branch')
  write('src/shape.ts', 'export type Shape = number')
  write('src/new.ts', '')
  assert.deepEqual(changedPaths(root), ['src/deep.ts', 'src/shape.ts', 'src/new.ts'])
})

for (const [what, changed, expected] of [
  ['through imports', 'src/deep.ts', ['test/deep.test.ts']],
  ['through a script that a process is started with', 'src/lazy.ts', ['test/process.test.ts']],
  ['not through types, which are gone when it runs', 'src/shape.ts', []],
  ['through a pattern of paths', 'docs/one/two.md', ['test/docs.test.ts']],
  ['as itself', 'test/typed.test.ts', ['test/typed.test.ts']],
  ['as everything hangs on it', 'package.json', TESTS]
] as const) {
  test(`a change reaches a test ${what}`, () => assert.deepEqual(concerned(root, TESTS, [changed]), expected))
}
