import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { formatOf, SCHEMA_TYPES } from './index.ts'
import { breaks, keeps, keepsIf, tableOf } from './rules.ts'

const root = join(import.meta.dirname, '../../..')
const words = { at: ({ path }: { path: string }) => path }
const TABLE = tableOf('avro', words, {
  lost: breaks('What {writer} has {at} is lost to {reader}.'),
  found: keeps('Nothing changes.'),
  hoped: keepsIf('It holds.', '{reader} hopes.')
})

describe('a table of rules', () => {
  it('has code, verdict and assumption of each', () => {
    assert.deepEqual(
      Object.values(TABLE).map(({ code, breaks, assumes }) => [code, breaks, assumes]),
      [
        ['avro.lost', true, undefined],
        ['avro.found', false, undefined],
        ['avro.hoped', false, 'It holds.']
      ]
    )
  })

  it('fills the words of a sentence in, and takes nothing in names and values for a word', () => {
    const say = (path: string, writer: string) =>
      TABLE.lost.message({ rule: TABLE.lost, path }, { writer, reader: 'version 2' })
    assert.equal(say('/a', 'version 1'), 'What version 1 has /a is lost to version 2.')
    assert.equal(say('{reader} $& $1', '{at}'), 'What {at} has {reader} $& $1 is lost to version 2.')
  })
})

describe('the rules of every format', () => {
  const rules = SCHEMA_TYPES.flatMap((type) => formatOf(type).rules.map((rule) => ({ ...rule, type })))

  it('have codes of their own, sentences with an end, and assume something only where they do not break', () => {
    assert.equal(new Set(rules.map(({ code }) => code)).size, rules.length)
    for (const { code, type, sentence, breaks, assumes } of rules) {
      assert.match(code, new RegExp(`^${type}\\.[a-z_]+$`))
      assert.match(sentence, /^[A-Z{].*\.$/, code)
      assert.doesNotMatch(sentence, /\w\{|\}\w/, `${code}: what is filled in is a word by itself`)
      assert.ok(!breaks || assumes === undefined, code)
    }
  })

  it('are those that the document lists', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/schema-rules-doc.ts', '--check'], {
      cwd: root,
      encoding: 'utf8'
    })
    assert.equal(status, 0, stderr)
  })
})
