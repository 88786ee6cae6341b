// Once: the embedded engine keeps points in files of its own, whatever keeps the metadata.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openDuckdb } from '../../src/engines/series/duckdb/index.ts'
import { IndexDb } from '../../src/engines/series/duckdb/index-db.ts'
import { PageCache, SealedFile } from '../../src/engines/series/duckdb/parquet/index.ts'
import type { Query } from '../../src/engines/series/query/plan.ts'
import { batchPoints, TAGS, tagName } from '../support/series/batches.ts'

const KILLS = 20

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-series-crash-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

test(`after ${KILLS} times kill -9 at full speed every acknowledged point is there, once, and files are whole`, async (t) => {
  const acknowledged = new Set<number>()
  let merges = 0
  for (let round = 0; round < KILLS; round++) {
    const first = acknowledged.size === 0 ? 0 : Math.max(...acknowledged) + 100
    // From the first moments, when what the last crash left is being mended, to full speed.
    await writeUntilKilled(first, round % 4 === 0 ? 0 : 12 + round * 4, acknowledged)
    if (round % 5 === 4) merges = checkFiles(folder)
  }
  assert.ok(acknowledged.size > 200, 'it hardly wrote')
  assert.ok(merges > 0, 'no file was ever merged')
  await checkPoints(acknowledged)
  t.diagnostic(`${acknowledged.size} batches`)
})

/** Kills the writer once it has acknowledged so many batches more. */
async function writeUntilKilled(first: number, batches: number, acknowledged: Set<number>): Promise<void> {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, '../support/series/writer.ts'), folder, String(first)],
    { stdio: ['ignore', 'pipe', 'pipe'] }
  )
  let text = ''
  let failure = ''
  child.stderr?.on('data', (piece) => {
    failure += piece
  })
  child.stdout?.on('data', (piece) => {
    text += piece
    if (text.split('\n').length - 2 >= batches) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('close', (_code, ended) => resolve(ended)))
  assert.equal(signal, 'SIGKILL', `it ended by itself: ${failure}`)
  const [ready, ...lines] = text.split('\n')
  assert.equal(ready, 'ready')
  for (const line of lines.slice(0, -1)) acknowledged.add(Number(line)) // the last line may be cut off
}

/** Every file that the index has is whole; answers how many numbers of files have been merged away. */
function checkFiles(where: string): number {
  const index = new IndexDb(join(where, 'index.db'))
  try {
    const pages = new PageCache(1 << 20)
    for (const { path, day, rows } of index.files()) {
      const file = SealedFile.open(join(where, path), day, pages)
      const { ids, rows: starts } = file.tags()
      ids.forEach((_, at) => {
        const row = starts[at] as number
        file.read({ row, count: (starts[at + 1] as number) - row })
      })
      assert.equal(file.rowCount, rows)
      file.close()
    }
    return index.fact('sequence') - index.files().length
  } finally {
    index.close()
  }
}

async function checkPoints(acknowledged: ReadonlySet<number>): Promise<void> {
  const series = await openDuckdb({ folder, onFailure: (error) => assert.fail(error) })
  try {
    await checkAnswers(series, acknowledged)
    await series.seal()
    await checkAnswers(series, acknowledged)
    const stats = (await series.stats(['src'])).get('src')
    assert.equal(stats?.pointCount, await countPoints(series), 'statistics that no longer fit the points')
  } finally {
    await series.close()
  }
  const index = new IndexDb(join(folder, 'index.db'))
  const known = index.files().map(({ path }) => path)
  index.close()
  const there = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.parquet'))
  assert.deepEqual(there.sort(), known.sort(), 'files that nobody knows of')
}

type Engine = Awaited<ReturnType<typeof openDuckdb>>

async function read(series: Engine, tag: number): Promise<Map<number, number>> {
  const query: Query = {
    sourceId: 'src',
    tags: [tagName(tag)],
    fromNs: 0n,
    toNs: 2n ** 62n,
    bucket: undefined,
    functions: ['avg'],
    fill: 'none',
    maxPoints: undefined,
    timeZone: 'UTC',
    format: 'json',
    units: {},
    aggregation: null,
    limitPoints: 10_000_000
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of (await series.query(query)).body) chunks.push(chunk)
  const [{ points }] = JSON.parse(Buffer.concat(chunks).toString()).series
  const found = new Map<number, number>()
  for (const { time, value } of points) {
    const ms = Date.parse(time)
    assert.ok(!found.has(ms), `a point is there twice: ${tagName(tag)} ${time}`)
    found.set(ms, value)
  }
  return found
}

async function countPoints(series: Engine): Promise<number> {
  let count = 0
  for (let tag = 0; tag < TAGS; tag++) count += (await read(series, tag)).size
  return count
}

async function checkAnswers(series: Engine, acknowledged: ReadonlySet<number>): Promise<void> {
  const expected = Map.groupBy([...acknowledged].flatMap(batchPoints), ({ tag }) => tag)
  for (let tag = 0; tag < TAGS; tag++) {
    const found = await read(series, tag)
    for (const { ms, value } of expected.get(tag) ?? []) {
      assert.equal(found.get(ms), value, `an acknowledged point is not there: ${tagName(tag)} ${ms}`)
    }
    // What was not acknowledged may be there, but as it was written last.
    for (const value of found.values()) assert.ok(value >= 0, 'a point that was replaced is there')
  }
}
