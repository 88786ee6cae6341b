// Once: it is about the processes that run pipelines.
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { eventually } from '../support/eventually.ts'
import { hostsOf } from '../support/pipelines/hosts-of.ts'
import { type MortalSite, openMortalSite } from '../support/pipelines/mortal-site.ts'

const FILE_BYTES = 200_000_000
const LIMIT_MS = 120_000
/** What SQL may use unless `PIPELINE_MEMORY_MB` says otherwise, and what a process has besides. */
const MAX_PEAK_MIB = 1024 + 400

describe('texts of any length go from CSV to Parquet in the memory that there is', () => {
  let folder: string
  let site: MortalSite

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-texts-'))
    site = await openMortalSite()
    await site.client.post('/buckets', { name: 'texts' })
  })
  after(async () => {
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const chars of [1000, 100_000, 10_000_000]) {
    it(`of ${chars} characters`, async (t) => {
      const path = join(folder, `${chars}.csv`)
      const rows = await writeTexts(path, chars)
      // A process keeps what it has had, and would answer for the lengths before.
      await site.kill()
      await site.revive()
      await site.upload(`/buckets/texts/objects/${chars}.csv`, path)
      const { id } = await site.client.post('/pipelines', { name: `${chars}`, nodes: nodes(chars) })
      await site.client.post(`/pipelines/${id}/start`)
      let peakMib = 0
      const { status, error, run } = await eventually(async () => {
        peakMib = Math.max(peakMib, ...hostsOf(site.pid).map(peakMibOf))
        const found = await site.client.get(`/pipelines/${id}`)
        return (found.status === 'completed' || found.status === 'failed') && found
      }, LIMIT_MS)
      t.diagnostic(`${rows} rows, at most ${Math.round(peakMib)} MiB`)
      assert.deepEqual([status, error, run.ledger.recordsWritten], ['completed', null, rows])
      assert.ok(peakMib > 0 && peakMib < MAX_PEAK_MIB, `${peakMib} MiB`)
      const files = await site.download('texts', `${chars}/`, folder)
      assert.deepEqual(await unharmed(files), [rows, rows])
    })
  }
})

const nodes = (chars: number) => [
  { id: 'in', type: 'file', config: { reference: `object://texts/${chars}.csv` } },
  { id: 'same', type: 'map', config: { select: { sum: 'sum', text: 'text' } }, inputs: ['in'] },
  { id: 'out', type: 'object', config: { bucket: 'texts', prefix: `${chars}/`, format: 'parquet' }, inputs: ['same'] }
]

/** Rows of a text, no two alike, after its MD5; answers how many. */
async function writeTexts(path: string, chars: number): Promise<number> {
  const rows = Math.round(FILE_BYTES / chars)
  const file = await open(path, 'w')
  let lines = ['sum,text\n']
  for (let row = 0, waiting = 0; row < rows; row++, waiting += chars) {
    const text = randomBytes(Math.ceil(chars * 0.75))
      .toString('base64')
      .slice(0, chars)
    lines.push(`${hash('md5', text)},${text}\n`)
    if (waiting < 10_000_000 && row < rows - 1) continue
    await file.appendFile(lines.join(''))
    lines = []
    waiting = 0
  }
  await file.close()
  return rows
}

/** How many rows there are, and how many with the text that they had. */
async function unharmed(files: readonly string[]): Promise<number[]> {
  const database = await (await DuckDBInstance.create(':memory:')).connect()
  const list = files.map((file) => `'${file}'`).join(', ')
  const answer = await database.runAndReadAll(
    `SELECT count(*), count(*) FILTER (md5(text) = sum) FROM read_parquet([${list}])`
  )
  database.closeSync()
  return (answer.getRows()[0] ?? []).map(Number)
}

/** The most memory that a process has had; nothing where it has ended. */
function peakMibOf(pid: number): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib ?? 0) / 1024
  } catch {
    return 0
  }
}
