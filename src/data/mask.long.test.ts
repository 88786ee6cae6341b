import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DataError } from './errors.ts'
import { isMasked, joinMasks, type Mask } from './mask.ts'
import { DataPlane } from './plane.ts'
import { sqlText } from './relation.ts'

const CANARY = 'canary-7'

describe('a mask', () => {
  let folder = ''
  let plane: DataPlane
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-mask-'))
    const file = join(folder, 'people.csv')
    writeFileSync(file, `id,Email,salary,born\n1,${CANARY},700,2001-02-03\n2,b@example.org,800,2004-05-06\n`)
    const sql = `SELECT * FROM read_csv(${sqlText(file)}, header = true)`
    const resolve = async () => ({ sql, files: [file], release: async () => {} })
    plane = new DataPlane({ resolvers: [{ scheme: 'object', resolve }], folder: join(folder, 'plane') })
  })
  after(async () => {
    await plane.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const rows = async (sql: string, mask: Mask) => {
    const masks = new Map([['people', mask]])
    return (await plane.query({ sql, relations: { people: 'object://b/people.csv' }, masks })).rows()
  }

  it('is over columns in any spelling, over nested ones as a whole, and over what any of several is over', () => {
    assert.deepEqual(
      ['email', 'EMAIL', 'mail', 'address'].map((name) => isMasked(['Email', 'address.street'], name)),
      [true, true, false, true]
    )
    assert.deepEqual(joinMasks([['a'], undefined, ['b', 'a']]), ['a', 'b'])
    assert.deepEqual([joinMasks([['a'], 'all']), joinMasks([undefined])], ['all', undefined])
  })

  it('leaves types as they are, and values of other columns', async () => {
    assert.deepEqual(await rows('SELECT * FROM people ORDER BY id', ['email', 'salary', 'BORN']), [
      [1, '********', null, null],
      [2, '********', null, null]
    ])
    assert.deepEqual(await rows('SELECT count(*), sum(salary), max(year(born)) FROM people', 'all'), [[2, null, null]])
  })

  it('can’t be got around by a condition, an order, an aggregate, a window or another name', async () => {
    const mask = ['email', 'salary']
    for (const [sql, expected] of [
      [`SELECT count(*) FROM people WHERE email = '${CANARY}'`, [[0]]],
      [`SELECT count(*) FROM people WHERE salary BETWEEN 600 AND 900`, [[0]]],
      ['SELECT id FROM people ORDER BY salary DESC, id LIMIT 1', [[1]]],
      ['SELECT list(DISTINCT p."Email") FROM people AS p', [[['********']]]],
      ['SELECT DISTINCT min(email) OVER () FROM main.people', [['********']]],
      ['WITH people AS (FROM people) SELECT DISTINCT email FROM people', [['********']]],
      ["SELECT count(*) FROM people WHERE people::VARCHAR LIKE '%canary%'", [[0]]],
      ['SELECT count(DISTINCT salary) FROM people', [[0]]]
    ] as const) {
      assert.deepEqual(await rows(sql, mask), expected, sql)
    }
  })

  it('says nothing of the data where they can’t be read', async () => {
    const error = await rows('SELECT error(email) FROM people', ['salary']).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof DataError)
    assert.ok(!error.message.includes(CANARY), error.message)
    const bound = await rows('SELECT nothing FROM people', 'all').catch((thrown: unknown) => thrown)
    assert.match(String(bound), /nothing/, 'errors of the SQL alone are told')
  })
})
