import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findFiles, placeSuite } from './suites.ts'

const USES = "import '../support/database.ts'\n"

describe('where suites run', () => {
  let root: string

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'millrace-suites-'))
    for (const folder of ['test/long', 'test/support', 'src', 'test/process']) {
      mkdirSync(join(root, folder), { recursive: true })
    }
    const write = (path: string, text: string) => writeFileSync(join(root, path), text)
    write('test/support/database.ts', '')
    write('test/process/plain.test.ts', USES)
    write('test/process/both.test.ts', `// Both: tables.\n${USES}`)
    write('test/process/once.test.ts', `// Once: texts.\n${USES}`)
    write('test/long/kills.test.ts', USES)
    write('src/none.test.ts', '')
    write('src/wrong.test.ts', '// Both: nothing.\n')
    write('src/random.long.test.ts', '')
  })

  after(() => rmSync(root, { recursive: true, force: true }))

  const where = (file: string, kind: 'usual' | 'postgres' | 'long') => {
    const { onSqlite, onPostgres } = placeSuite(root, file, kind)
    return [...(onSqlite ? ['SQLite'] : []), ...(onPostgres ? ['PostgreSQL'] : [])].join(' and ')
  }

  it('is SQLite, and both where a suite is about databases', () => {
    assert.equal(where('test/process/plain.test.ts', 'usual'), 'SQLite')
    assert.equal(where('test/process/once.test.ts', 'usual'), 'SQLite')
    assert.equal(where('src/none.test.ts', 'usual'), 'SQLite')
    assert.equal(where('test/process/both.test.ts', 'usual'), 'SQLite and PostgreSQL')
  })

  it('is PostgreSQL on demand for all that use a database', () => {
    assert.equal(where('test/process/plain.test.ts', 'postgres'), 'PostgreSQL')
    assert.equal(where('test/process/both.test.ts', 'postgres'), 'PostgreSQL')
    assert.equal(where('test/process/once.test.ts', 'postgres'), '')
    assert.equal(where('src/none.test.ts', 'postgres'), '')
  })

  it('is both for long ones', () => {
    assert.equal(where('test/long/kills.test.ts', 'long'), 'SQLite and PostgreSQL')
    assert.equal(where('src/random.long.test.ts', 'long'), 'SQLite')
  })

  it('refuses a mark that means nothing', () => {
    assert.throws(() => placeSuite(root, 'src/wrong.test.ts', 'usual'), /uses no database/)
  })

  it('finds long suites only when they are asked for', () => {
    assert.deepEqual(findFiles(root, 'long', []), ['src/random.long.test.ts', 'test/long/kills.test.ts'])
    assert.deepEqual(findFiles(root, 'usual', ['once', 'none']), ['src/none.test.ts', 'test/process/once.test.ts'])
  })
})
