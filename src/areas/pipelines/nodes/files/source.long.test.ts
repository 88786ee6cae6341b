import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { NodeFault } from '../../contract/context.ts'
import { openWorkshop, type Ran, type RunOptions, type Workshop } from '../../testing/workshop.ts'
import { fileSource } from './source.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

let outs = 0
/** Reads, and answers what came out beside how it ran. */
async function read(config: object, options?: RunOptions): Promise<{ ran: Ran; rows: Record<string, unknown>[] }> {
  outs += 1
  const prefix = `out${outs}/`
  const ran = await workshop.run(pipeline(config, prefix), options)
  return { ran, rows: await rowsIn(prefix) }
}

const pipeline = (config: object, prefix: string) => [
  { id: 'in', type: 'file', config: { ...config } },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'parquet' as const }, inputs: ['in'] }
]

async function rowsIn(prefix: string) {
  return (await workshop.keys(prefix)).length === 0 ? [] : workshop.rows('SELECT * FROM objects', prefix)
}

describe('formats', () => {
  test('CSV, TSV, JSON, NDJSON, compressed or not, all give the same records', async () => {
    await workshop.put('f/a.csv', 'id,name\n1,a\n2,"b,\nc"\n')
    await workshop.put('f/a.tsv', 'id\tname\n1\ta\n2\t"b,\nc"\n')
    await workshop.put('f/a.json', '[{"id":1,"name":"a"},\n{"id":2,"name":"b,\\nc"}]')
    await workshop.put('f/a.ndjson', '{"id":1,"name":"a"}\n\n{"id":2,"name":"b,\\nc"}\r\n')
    await workshop.put('f/b.csv.gz', gzipSync('id;name\n1;a\n2;"b,\nc"\n'))
    await workshop.put('f/b.jsonl.gz', gzipSync('{"id":1,"name":"a"}\n{"id":2,"name":"b,\\nc"}'))
    await workshop.put('f/c', 'id,name\n1,a\n2,"b,\nc"\n', 'text/csv; charset=utf-8')
    for (const key of ['a.csv', 'a.tsv', 'a.json', 'a.ndjson', 'b.csv.gz', 'b.jsonl.gz', 'c']) {
      const { ran, rows } = await read({ reference: `object://b/f/${key}` })
      assert.equal(ran.end, 'completed')
      assert.deepEqual(ran.deadLetters, [], key)
      assert.deepEqual(
        rows,
        [
          { id: 1, name: 'a' },
          { id: 2, name: 'b,\nc' }
        ],
        key
      )
    }
  })

  test('JSON keeps what it says: texts as they are, numbers DOUBLE, objects and lists JSON', async () => {
    const long = Array.from({ length: 300 }, (_, n) => [`f${n}`, n])
    await workshop.put(
      'types/a.ndjson',
      [
        { day: '2026-01-01', n: 1, place: { x: 1 }, list: [1], mixed: 'b', flag: true, ...Object.fromEntries(long) },
        { day: '2026-01-02', n: 1.5, place: { y: 2 }, mixed: 'a' }
      ]
        .map((record) => JSON.stringify(record))
        .join('\n')
    )
    const { rows } = await read({ reference: 'object://b/types/a.ndjson' })
    const some = rows.map(({ day, n, place, list, mixed, flag, f299 }) => [day, n, place, list, mixed, flag, f299])
    assert.deepEqual(some, [
      ['2026-01-01', 1, '{"x":1}', '[1]', 'b', true, 299],
      ['2026-01-02', 1.5, '{"y":2}', null, 'a', null, null]
    ])
  })

  test('`format` goes before the name; an object of no known form is a dead letter, and the others are read', async () => {
    await workshop.put('forms/a.txt', 'id\n1\n')
    await workshop.put('forms/b.parquet', 'not that')
    await workshop.put('forms/c.csv', 'id\n2\n')
    const said = await read({ reference: 'object://b/forms/a.txt', format: 'csv' })
    assert.deepEqual(said.rows, [{ id: 1 }])
    const { ran, rows } = await read({ reference: 'object://b/forms/*' })
    assert.deepEqual(rows, [{ id: 2 }])
    assert.equal(ran.imbalance, 0)
    assert.deepEqual(
      ran.deadLetters.map(({ code, record }) => [code, record]),
      ['a.txt', 'b.parquet'].map((key) => ['unreadable_object', `{"key":"forms/${key}"}`])
    )
    for (const { reason } of ran.deadLetters) assert.doesNotMatch(reason, /object-\d/)
  })

  test('empty objects and objects with a header alone have no records', async () => {
    for (const name of ['e.csv', 'e.ndjson', 'e.tsv']) await workshop.put(`empty/${name}`, '')
    await workshop.put('empty/h.csv', 'a,b\n')
    await workshop.put('empty/l.json', '[]')
    const { ran, rows } = await read({ reference: 'object://b/empty/*' })
    assert.deepEqual([rows, ran.ledger.recordsRead, ran.deadLetters], [[], 0, []])
  })

  test('fields that the pipeline speaks of and no record has are nothing', async () => {
    await workshop.put('lack/a.ndjson', '{"a":1}\n')
    const ran = await workshop.run([
      { id: 'in', type: 'file', config: { reference: 'object://b/lack/a.ndjson' } },
      { id: 'm', type: 'map', config: { select: { a: 'a', b: "coalesce(b, 'none')" } }, inputs: ['in'] },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'lack-out/', format: 'ndjson' }, inputs: ['m'] }
    ])
    assert.equal(ran.imbalance, 0)
    assert.deepEqual(await workshop.rows('SELECT * FROM objects', 'lack-out/'), [{ a: 1, b: 'none' }])
  })
})

describe('lines that are no records', () => {
  test('of CSV become dead letters with their number', async () => {
    const good = Array.from({ length: 30_000 }, (_, n) => `${n},2026-01-01`)
    await workshop.put('bad/a.csv', ['id,day', ...good, '1,2,3', 'x', '7,never', '8,2026-01-02'].join('\n'))
    const { ran, rows } = await read({ reference: 'object://b/bad/a.csv' })
    assert.equal(rows.length, 30_001)
    assert.equal(ran.imbalance, 0)
    assert.equal(ran.ledger.recordsRead, 30_004)
    assert.deepEqual(
      ran.deadLetters.map(({ code, reason, record }) => [code, reason.split(':', 1)[0], record]),
      [
        ['unreadable_line', 'Line 30002', '1,2,3'],
        ['unreadable_line', 'Line 30003', 'x'],
        ['wrong_type', 'day', '{"id":"7","day":"never"}']
      ]
    )
  })

  test('of NDJSON become dead letters with their number, those that are no text among them', async () => {
    const lines = ['{"a":1}', 'nope', '', '5', Buffer.from([0x22, 0xff, 0xfe]), '{"a":', '{"a":2}', '[{"a":3}]', '   ']
    const content = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
    await workshop.put('bad/a.ndjson', content)
    await workshop.put('bad/b.ndjson.gz', gzipSync(content))
    for (const key of ['a.ndjson', 'b.ndjson.gz']) {
      const { ran, rows } = await read({ reference: `object://b/bad/${key}` })
      assert.deepEqual(rows, [{ a: 1 }, { a: 2 }])
      assert.equal(ran.imbalance, 0)
      assert.deepEqual(
        ran.deadLetters.map(({ code, reason }) => `${code} ${/\d+/.exec(reason)}`),
        ['not_json 2', 'not_json 4', 'unreadable_line 5', 'not_json 6', 'not_json 8']
      )
    }
  })

  test('are counted once, however often the run is interrupted', async () => {
    const lines = Array.from({ length: 6000 }, (_, n) => (n % 2 === 0 ? `{"n":${n}}` : `bad ${n}`))
    await workshop.put('bad/many.ndjson', lines.join('\n'))
    const { ran, deadLetters, rows } = await readWithCrashes({ reference: 'object://b/bad/many.ndjson' })
    assert.equal(ran.end, 'completed')
    assert.equal(new Set(deadLetters).size, 3000)
    assert.equal(deadLetters.length, 3000)
    assert.deepEqual(
      rows.map(({ n }) => n),
      Array.from({ length: 3000 }, (_, n) => n * 2)
    )
  })
})

/** Fails every second commit, and goes on from the last one that was made. */
async function readWithCrashes(config: object) {
  outs += 1
  const prefix = `out${outs}/`
  const deadLetters: string[] = []
  let checkpoint: Ran['checkpoint'] = null
  let counted: RunOptions['counted'] = null
  for (let crashes = 0; ; crashes++) {
    let commits = 0
    try {
      const ran = await workshop.run(pipeline(config, prefix), {
        checkpoint,
        counted,
        eager: true,
        onCommit(commit) {
          commits += 1
          if (commits === 2 && crashes < 20) throw new NodeFault('fatal', 'crash', 'on purpose')
          checkpoint = commit.checkpoint
          counted = { ledger: commit.ledger, nodes: commit.nodes }
          deadLetters.push(...commit.deadLetters.map(({ reason }) => reason))
        }
      })
      return { ran, deadLetters, rows: await rowsIn(prefix), crashes }
    } catch (error) {
      if (!(error instanceof NodeFault) || error.code !== 'crash') throw error
    }
  }
}

describe('objects', () => {
  test('are read by key, each whole, and a run that crashed goes on in the middle', async () => {
    for (let n = 1; n < 8; n++) await workshop.put(`many/${n}.csv`, `n\n${n}0\n${n}1\n${n}2\n`)
    const expected = [1, 2, 3, 4, 5, 6, 7].flatMap((n) => [n * 10, n * 10 + 1, n * 10 + 2])
    const once = await read({ reference: 'object://b/many/*.csv' })
    assert.deepEqual(
      once.rows.map(({ n }) => n),
      expected
    )
    const { rows, crashes, ran } = await readWithCrashes({ reference: 'object://b/many/*.csv' })
    assert.ok(crashes >= 3)
    assert.equal(ran.ledger.recordsRead, 21)
    assert.deepEqual(
      rows.map(({ n }) => n),
      expected
    )
  })

  test('one that is replaced after it was listed is read as it is now; one that is gone is passed over', async () => {
    for (const n of [1, 2, 3]) await workshop.put(`swap/${n}.csv`, `n\n${n}\n`)
    const { gateway } = workshop
    const { ran, rows } = await read(
      { reference: 'object://b/swap/*.csv' },
      {
        gateway: {
          async listObjects(query) {
            const page = await gateway.listObjects(query)
            if (query.prefix !== 'swap/') return page
            await workshop.put('swap/1.csv', 'n\n100\n')
            await (await workshop.store()).delete('b', ['swap/2.csv'])
            return page
          }
        }
      }
    )
    assert.deepEqual(
      rows.map(({ n }) => n),
      [100, 3]
    )
    assert.deepEqual(
      ran.log.map(({ level, message }) => [level, message]),
      [['warn', 'Object swap/2.csv was there, and was gone when it was to be read']]
    )
  })

  test('one that can not be fetched for a while is waited for, and none is passed over', async () => {
    for (const n of [1, 2]) await workshop.put(`slow/${n}.csv`, `n\n${n}\n`)
    let tries = 0
    const { rows } = await read(
      { reference: 'object://b/slow/*.csv' },
      {
        gateway: {
          async fetchObject(object, path) {
            tries += 1
            if (tries === 1) throw new NodeFault('transient', 'unreachable', 'away')
            return workshop.gateway.fetchObject(object, path)
          }
        }
      }
    )
    assert.deepEqual(
      rows.map(({ n }) => n),
      [1, 2]
    )
  })

  test('a bucket that is not there ends the run', async () => {
    const listObjects = async () => {
      throw new NodeFault('fatal', 'no_such_bucket', 'There is no bucket nowhere')
    }
    await assert.rejects(read({ reference: 'object://nowhere/*.csv' }, { gateway: { listObjects } }), {
      code: 'no_such_bucket'
    })
  })
})

test('objects that appear are read as they do, none of them twice, also by a run that goes on', async () => {
  await workshop.put('watch/a.csv', 'n\n1\n')
  const config = { reference: 'object://b/watch/*.csv', watch: true, interval: '10ms' }
  const written = (commit: { ledger: { recordsWritten: number } }) => commit.ledger.recordsWritten
  const first = await workshop.run(pipeline(config, 'watched1/'), {
    eager: true,
    async onCommit(commit, run) {
      if (written(commit) === 1) await workshop.put('watch/0.csv', 'n\n2\n')
      if (written(commit) === 2) run.stop()
    }
  })
  assert.equal(first.end, 'stopped')
  await workshop.put('watch/a.csv', 'n\n3\n')
  await workshop.put('watch/b.csv', 'n\n4\n')
  const second = await workshop.run(pipeline(config, 'watched2/'), {
    checkpoint: first.checkpoint,
    eager: true,
    onCommit(commit, run) {
      if (written(commit) === 2) run.stop()
    }
  })
  assert.equal(second.imbalance, 0)
  assert.deepEqual(
    [await rowsIn('watched1/'), await rowsIn('watched2/')],
    [
      [{ n: 1 }, { n: 2 }],
      [{ n: 3 }, { n: 4 }]
    ]
  )
})

test('a large Parquet object is read in place, in parts that end where row groups do', async () => {
  const connection = await workshop.instance.connect()
  const path = `${workshop.folder}/large.parquet`
  await connection.run(`COPY (SELECT range AS n FROM range(12000000)) TO '${path}' (FORMAT parquet)`)
  connection.closeSync()
  const { readFile } = await import('node:fs/promises')
  await workshop.put('large/a.parquet', await readFile(path))
  const parts: unknown[] = []
  const ran = await workshop.run(
    [
      { id: 'in', type: 'file', config: { reference: 'object://b/large/a.parquet' } },
      { id: 'few', type: 'filter', config: { where: 'n % 1000000 = 7' }, inputs: ['in'] },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'large-out/', format: 'parquet' }, inputs: ['few'] }
    ],
    {
      eager: true,
      onCommit: ({ checkpoint }) =>
        void parts.push((checkpoint.positions.in as { object?: { row: number } }).object?.row)
    }
  )
  assert.equal(ran.ledger.recordsRead, 12_000_000)
  assert.deepEqual(parts.slice(0, 2), [9_953_280, undefined])
  assert.deepEqual(await workshop.rows('SELECT count(*) AS c, count(DISTINCT n) AS d FROM objects', 'large-out/'), [
    { c: 12, d: 12 }
  ])
})

test('a configuration that can not be meant is refused', () => {
  const check = (config: object) => fileSource.check?.(config as never).map(({ pointer }) => pointer)
  assert.deepEqual(check({ reference: 'object://b/*.csv', watch: true, interval: '1s' }), [])
  assert.deepEqual(check({ reference: 'series://b/x' }), ['/reference'])
  assert.deepEqual(check({ reference: 'b/x', interval: '1mo' }), ['/reference', '/interval'])
  const reference = 'object://b/x'
  const columns = { _Line: 'DOUBLE' }
  assert.deepEqual(check({ reference, columns, csv: { delimiter: ';', decimal: ',', thousands: '.' } }), [])
  assert.deepEqual(check({ reference, columns, metadata: true }), ['/columns/_Line'])
  assert.deepEqual(check({ reference, format: 'parquet', columns, csv: {} }), ['/columns', '/csv'])
  assert.deepEqual(check({ reference, csv: { delimiter: ',', decimal: ',', quote: ',' } }), [
    '/csv/decimal',
    '/csv/quote'
  ])
  assert.deepEqual(check({ reference, csv: { thousands: '.' } }), ['/csv/thousands'])
  assert.deepEqual(check({ reference, csv: { delimiter: "'", thousands: "'", quote: '' } }), ['/csv/thousands'])
  assert.deepEqual(check({ reference, csv: { thousands: "'", quote: "'" } }), ['/csv/thousands'])
})
