import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { openTestPlane, type TestPlane } from './testing/plane.ts'

const READABLE: readonly (readonly [key: string, rows: readonly object[]])[] = [
  [
    'plain.csv',
    [
      { x: 1, y: 'é' },
      { x: 2, y: 'b, c' }
    ]
  ],
  [
    'packed.csv.gz',
    [
      { x: 1, y: 'a' },
      { x: 2, y: 'b' }
    ]
  ],
  ['semicolons.csv', [{ x: 1, y: 'a' }]],
  ['tabs.tsv', [{ x: 1, y: 'a;b' }]],
  [
    'list.json',
    [
      { x: 1, y: { z: [1, 2] } },
      { x: 2, y: null }
    ]
  ],
  ['lines.ndjson', [{ x: 1 }, { x: 2 }]],
  ['lines.jsonl.gz', [{ x: 1 }, { x: 2 }]],
  ['table.parquet', [{ x: 1, y: 'p' }]],
  ['named-by-type', [{ x: 7 }]],
  ['odd/a[1].csv', [{ x: 1 }]],
  ['odd/a[!2].csv', [{ x: 2 }]],
  ["odd/it's; -- %.csv", [{ x: 3 }]],
  [
    'days/**/*.csv',
    [
      { x: 1, y: 'a', z: null },
      { x: null, y: 'b', z: 2.5 }
    ]
  ]
]

describe('an object reference', () => {
  let test: TestPlane

  before(async () => {
    test = await openTestPlane({ maxRunning: 2 })
    await test.put('plain.csv', 'x,y\n1,é\n2,"b, c"\n')
    await test.put('packed.csv.gz', gzipSync('x,y\n1,a\n2,b\n'))
    await test.put('semicolons.csv', 'x;y\n1;a\n')
    await test.put('tabs.tsv', 'x\ty\n1\ta;b\n')
    await test.put('list.json', '[{"x": 1, "y": {"z": [1, 2]}}, {"x": 2, "y": null}]')
    await test.put('lines.ndjson', '{"x": 1}\n{"x": 2}\n')
    await test.put('lines.jsonl.gz', gzipSync('{"x": 1}\n{"x": 2}\n'))
    await test.put('table.parquet', await parquet(test.folder))
    await test.put('named-by-type', 'x\n7\n', 'text/csv; charset=utf-8')
    await test.put('nothing-known', 'x\n7\n')
    await test.put('broken.parquet', 'PAR1 and no more')
    await test.put('days/1/a.csv', 'x,y\n1,a\n')
    await test.put('days/2/a.csv', 'y,z\nb,2.5\n')
    await test.put('days/2/a.json', '[]')
    await test.put('odd/a[1].csv', 'x\n1\n')
    await test.put('odd/a1.csv', 'x\n2\n')
    await test.put("odd/it's; -- %.csv", 'x\n3\n')
    await test.put('large.csv', `x\n${'12345678\n'.repeat(10_000)}`)
  })
  after(() => test.close())

  it('reads every format, key and pattern', async () => {
    const relations = Object.fromEntries(READABLE.map(([key], index) => [`t${index}`, `object://b/${key}`]))
    // Several files are read at once, in no order.
    const orderOf = (key: string) => (key.includes('**') ? ' ORDER BY t' : '')
    const lists = READABLE.map(([key], index) => `(SELECT list(t${orderOf(key)}) FROM t${index} t)`)
    const [found] = await test.rows(`SELECT ${lists.join(', ')}`, relations)
    for (const [index, [key, rows]] of READABLE.entries()) assert.deepEqual(found?.[index], rows, key)
  })

  for (const [reference, code, message] of [
    ['object://b/none.csv', 'nothing_matches', /no object object:\/\/b\/none\.csv/],
    ['object://b/none/*.csv', 'nothing_matches', /none/],
    ['object://other/a.csv', 'not_found', /no bucket other/],
    ['object://b/nothing-known', 'format_unknown', /nothing-known/],
    ['object://b/days/**', 'formats_mixed', /csv, json/],
    ['object://b/broken.parquet', 'data_unreadable', /^What t stands for can't be read: /],
    ['model://m/1', 'reference_invalid', /model:\/\//],
    ['nonsense', 'reference_invalid', /must start with/]
  ] as const) {
    it(`refuses ${reference}`, async () => {
      await assert.rejects(test.rows('FROM t', { t: reference }), (error: Error & { code?: string }) => {
        assert.equal(error.code, code)
        assert.match(error.message, message)
        assert.ok(!error.message.includes(test.folder), error.message)
        return true
      })
    })
  }

  it('is not copied where it is too large, alone or with others', async () => {
    const small = await openTestPlane({ scratchBytes: 150_000 })
    try {
      await small.put('large.csv', `x\n${'12345678\n'.repeat(10_000)}`)
      const t = 'object://b/large.csv'
      assert.deepEqual(await small.rows('SELECT count(*) FROM t', { t }), [[10_000]])
      await assert.rejects(small.rows('FROM t, u', { t, u: t }), { code: 'too_large' })
      assert.deepEqual(small.scratchFiles(), [])
    } finally {
      await small.close()
    }
  })

  it('has columns', async () => {
    assert.deepEqual(await test.plane.describe('object://b/plain.csv'), [
      { name: 'x', type: 'BIGINT' },
      { name: 'y', type: 'VARCHAR' }
    ])
  })

  it('leaves nothing behind', () => assert.deepEqual(test.scratchFiles(), []))
})

async function parquet(folder: string): Promise<Buffer> {
  const connection = await (await DuckDBInstance.create()).connect()
  const file = join(folder, 'made.parquet')
  await connection.run(`COPY (SELECT 1 AS x, 'p' AS y) TO '${file}'`)
  connection.closeSync()
  return readFileSync(file)
}
