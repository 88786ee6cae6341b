import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import './areas.ts'
import { ERRORS, type ErrorCode, type ErrorFacts, invalidField, Problem } from './errors.ts'

const root = join(import.meta.dirname, '..')
const entries = Object.entries(ERRORS) as [ErrorCode, ErrorFacts][]

/** Statuses that the contract has a meaning for. */
const STATUSES = [
  400, 401, 403, 404, 405, 406, 408, 409, 412, 413, 414, 415, 416, 417, 422, 429, 500, 502, 503, 504, 507
]

describe('the catalogue of errors', () => {
  for (const [code, { status, title, detail, about }] of entries) {
    it(`describes ${code}`, () => {
      assert.match(code, /^[a-z]+(_[a-z]+)*$/)
      assert.ok(STATUSES.includes(status), String(status))
      assert.match(title, /^[A-Z].*[^.]$/s)
      for (const sentence of [detail, about]) {
        assert.match(sentence, /^[A-Z].*\.$/s)
        assert.doesNotMatch(sentence, / {2}|\n|'/)
        assert.equal(sentence.split('`').length % 2, 1, 'a backtick is left open')
      }
    })
  }

  it('has no code that nothing uses', () => {
    const files = globSync('src/**/*.ts', { cwd: root }).filter(
      (file) => !file.endsWith('.test.ts') && file !== join('src', 'errors.ts')
    )
    const source = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
    const unused = [...entries.map(([code]) => code)].filter((code) => !source.includes(`'${code}'`))
    // Only made by `invalidField`, which stands beside the catalogue.
    assert.deepEqual(
      unused.filter((code) => code !== 'invalid_request'),
      []
    )
  })

  it('is what docs/errors.md says', () => {
    execFileSync(process.execPath, [join(root, 'scripts', 'errors-doc.ts'), '--check'], { stdio: 'pipe' })
  })
})

describe('a problem', () => {
  it('takes what it says from the catalogue unless told better', () => {
    for (const [code, { status, detail }] of entries) {
      const plain = new Problem(code)
      assert.deepEqual([plain.code, plain.status, plain.detail, plain.message], [code, status, detail, detail])
      assert.deepEqual(
        [plain.errors, plain.members, plain.headers, plain.repeated],
        Array(3).fill(undefined).concat(false)
      )
    }
    const cause = new Error('why')
    const told = new Problem('not_found', {
      detail: 'Gone.',
      members: { a: 1 },
      headers: { b: '2' },
      repeated: true,
      cause
    })
    assert.deepEqual([told.detail, told.members, told.headers, told.repeated], ['Gone.', { a: 1 }, { b: '2' }, true])
    assert.equal(told.cause, cause)
  })

  it('points at one field', () => {
    const problem = invalidField('/name', 'must be shorter')
    assert.deepEqual(
      [problem.code, problem.errors],
      ['invalid_request', [{ pointer: '/name', message: 'must be shorter' }]]
    )
  })
})
