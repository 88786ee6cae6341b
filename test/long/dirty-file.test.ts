// Once: it is about one file on its way; what the databases do with dead letters has suites of its own.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { eventually } from '../support/eventually.ts'
import { leftovers } from '../support/objects/leftovers.ts'
import { type DirtyFile, makeDirtyFile, ROWS } from '../support/pipelines/dirty-file.ts'
import { type Letter, type MortalSite, openMortalSite } from '../support/pipelines/mortal-site.ts'

/** Of a phase that takes 20 seconds on a quiet machine, and minutes where suites of others have it. */
const LIMIT_MS = 600_000
const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))
const OBJECT = '/buckets/dirty/objects/in.csv'
const CORRECTION = { celsius: "replace(celsius, ',', '.')" }

interface Scene {
  readonly site: MortalSite
  readonly file: DirtyFile
  /** About how long the run takes. */
  readonly workMs: number
  /** A random share of the whole, another each time. */
  someOf(whole: number): number
  tell(line: string): void
}

test(`a dirty file goes from upload to balanced books, though each phase is killed (CRASH_SEED=${SEED})`, async (t) => {
  const startedMs = performance.now()
  const tell = (line: string) => t.diagnostic(`${Math.round((performance.now() - startedMs) / 1000)} s: ${line}`)
  const moments = fc.sample(fc.integer({ min: 1, max: 99 }), { seed: SEED, numRuns: 5 })
  const someOf = (whole: number) => Math.ceil(((moments.shift() as number) / 100) * whole)
  const folder = mkdtempSync(join(tmpdir(), 'millrace-dirty-'))
  const site = await openMortalSite()
  try {
    const makingMs = performance.now()
    const file = await makeDirtyFile(folder)
    // Reading it takes about three times as long as making it, on a machine of any speed.
    const workMs = 3 * (performance.now() - makingMs)
    tell(JSON.stringify(file.kinds))
    const scene = { site, file, workMs, someOf, tell }
    await site.client.post('/buckets', { name: 'dirty' })
    const source: string = (await site.client.post('/catalog/sources', { name: 'dirty', kind: 'pipeline' })).id
    await upload(scene)
    const { id } = await site.client.post('/pipelines', { name: 'dirty', nodes: nodes(source) })
    await run(scene, id)
    await look(scene, id)
    await correct(scene, id)
    await discard(scene, id)
    await balance(scene, id, source, folder)
    file.close()
  } finally {
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function upload({ site, file, someOf, tell }: Scene): Promise<void> {
  const at = someOf(100)
  await assert.rejects(site.upload(OBJECT, file.path, { at: at / 100, call: () => site.kill() }))
  await site.revive()
  assert.deepEqual((await site.client.get('/buckets/dirty/objects')).objects, [])
  await eventually(() => assert.deepEqual(leftovers(site.dataDir, 0), []))
  await site.upload(OBJECT, file.path)
  tell(`uploaded, killed at ${at} %`)
}

async function run({ site, file, workMs, someOf, tell }: Scene, id: string): Promise<void> {
  const pipeline = () => site.client.get(`/pipelines/${id}`)
  await site.client.post(`/pipelines/${id}/start`)
  const ms = someOf(workMs)
  await delay(ms) // a random moment is what this is about
  const { status } = await pipeline()
  await site.kill()
  await site.revive()
  const ended = await eventually(async () => {
    const found = await pipeline()
    return (found.status === 'completed' || found.status === 'failed') && found
  }, LIMIT_MS)
  assert.deepEqual([ended.status, ended.error, ended.run.balanced], ['completed', null, true])
  const { good, broken, comma, nothing } = file.kinds
  assert.deepEqual(ended.run.ledger, ledger(ROWS, good, broken + comma + nothing))
  tell(`run, killed after ${ms} ms (${status})`)
}

/** What was refused is listed once, with the line of the file. */
async function look({ site, file, someOf, tell }: Scene, id: string): Promise<void> {
  const { broken, comma, nothing } = file.kinds
  const total = broken + comma + nothing
  assert.deepEqual(await kindsThatWait(site, id), [
    `typed invalid_value ${comma + nothing}`,
    `in unreadable_line ${broken}`
  ])
  const list = await site.client.get(`/pipelines/${id}/dead-letters?limit=50`)
  assert.deepEqual([list.total, list.deadLetters.length], [total, 50])
  const at = someOf(5_000_000)
  await assert.rejects(site.export(id, 'application/x-ndjson', { at, call: () => site.kill() }))
  await site.revive()
  const letters = await site.letters(id)
  assertLines(letters, file.dirt.keys())
  for (const letter of [...letters, ...list.deadLetters]) assertTrue(letter, file)
  assert.equal((await site.export(id, 'text/csv')).trim().split('\n').length, 1 + total)
  tell(`exported, killed after ${at} bytes`)
}

async function correct({ site, file, someOf, tell }: Scene, id: string): Promise<void> {
  const { broken, comma, nothing } = file.kinds
  const order = { nodeId: 'typed', set: CORRECTION }
  const { tried } = await site.client.post(`/pipelines/${id}/dead-letters/try`, { ...order, limit: 20 })
  for (const { record, written, refused } of tried) {
    assert.deepEqual([written.length, refused.length], record.celsius.includes(',') ? [2, 0] : [0, 1])
  }
  const asked = site.client.post(`/pipelines/${id}/dead-letters/replay`, order)
  asked.catch(() => {}) // the server that was asked is killed
  const replay = async () => (await site.client.get(`/pipelines/${id}/runs?kind=replay`)).runs[0]
  const enough = someOf((comma + nothing) * 0.9)
  const before = await eventually(async () => {
    const found = await replay()
    return found?.ledger.recordsRead >= enough && found
  }, LIMIT_MS)
  await site.kill()
  await site.revive()
  const ended = await eventually(async () => {
    const found = await replay()
    return found.endedAt !== null && found
  }, LIMIT_MS)
  assert.deepEqual([ended.status, ended.balanced], ['completed', true])
  assert.deepEqual(ended.ledger, ledger(comma + nothing, comma, nothing))
  assert.deepEqual(await kindsThatWait(site, id), [`typed invalid_value ${nothing}`, `in unreadable_line ${broken}`])
  const waiting = (await site.letters(id)).filter(({ replayedAt }) => replayedAt === null)
  const unmended = [...file.dirt].filter(([, { kind }]) => kind !== 'comma')
  assertLines(
    waiting,
    unmended.map(([line]) => line)
  )
  for (const letter of waiting) assertTrue(letter, file)
  tell(`replayed, killed with ${before.ledger.recordsRead} of ${comma + nothing} done`)
}

async function discard({ site, file, someOf, tell }: Scene, id: string): Promise<void> {
  const { nothing, broken } = file.kinds
  const filter = 'nodeId=typed&replayed=false'
  const waits = async (): Promise<number> => (await site.client.get(`/pipelines/${id}/dead-letters/summary`)).waiting
  const enough = someOf(nothing * 0.9)
  const asked = site.discard(id, filter)
  asked.catch(() => {}) // the server that was asked is killed
  await eventually(async () => (await waits()) <= broken + nothing - enough)
  await site.kill()
  await site.revive()
  const left = await waits()
  assert.equal((await site.client.get(`/pipelines/${id}/dead-letters?replayed=false&limit=1`)).total, left)
  assert.equal(await site.discard(id, filter), left - broken)
  assert.equal(await site.discard(id, 'code=unreadable_line'), broken)
  assert.deepEqual(await kindsThatWait(site, id), [])
  tell(`discarded, killed with ${left - broken} of ${nothing} left`)
}

/** The good rows are there and those that were corrected, once each, and no others. */
async function balance({ site, file, tell }: Scene, id: string, source: string, folder: string): Promise<void> {
  const { status, run: last } = await site.client.get(`/pipelines/${id}`)
  assert.deepEqual([status, last.number, last.balanced], ['completed', 1, true])
  assert.deepEqual(rounded(await site.sums(source)), rounded(file.series))
  const paths = await site.download('dirty', 'out/', folder)
  const { expected, found } = await file.fingerprints(paths)
  assert.equal(found, expected)
  tell(`${found} in ${paths.length} objects`)
}

/** Of records that each go to both sinks or are refused. */
const ledger = (read: number, good: number, refused: number) => ({
  recordsRead: read,
  recordsAdded: good,
  recordsWritten: 2 * good,
  recordsFiltered: 0,
  recordsDeadLettered: refused,
  recordsMerged: 0
})

async function kindsThatWait(site: MortalSite, id: string): Promise<string[]> {
  const { waiting, kinds } = await site.client.get(`/pipelines/${id}/dead-letters/summary`)
  const counts = kinds as { nodeId: string; code: string; count: number }[]
  assert.equal(
    counts.reduce((sum, { count }) => sum + count, 0),
    waiting
  )
  return counts.map(({ nodeId, code, count }) => `${nodeId} ${code} ${count}`)
}

/** That each of the lines is named once, and no other. */
function assertLines(letters: readonly Letter[], expected: Iterable<number>): void {
  const left = new Set(expected)
  const wrong = letters.map(({ origin }) => origin.line).filter((line) => !left.delete(line))
  assert.deepEqual({ wrong: wrong.slice(0, 10), missing: [...left].slice(0, 10) }, { wrong: [], missing: [] })
}

/** That the line it names is the one in which the record stands. */
function assertTrue({ origin, record, nodeId }: Letter, file: DirtyFile): void {
  const { kind, text } = file.dirt.get(origin.line) ?? {}
  assert.equal(origin.object, 'object://dirty/in.csv')
  if (typeof record === 'string') assert.deepEqual([nodeId, kind, record], ['in', 'broken', text])
  else {
    const [, tag, celsius, operator] = text?.split(';') ?? []
    const { time: _, ...others } = record
    assert.deepEqual([nodeId, others], ['typed', { tag, celsius, operator }], `line ${origin.line}`)
  }
}

const nodes = (source: string) => [
  { id: 'in', type: 'file', config: { reference: 'object://dirty/in.csv' } },
  {
    id: 'typed',
    type: 'map',
    config: {
      select: { time: 'time::TIMESTAMPTZ', tag: 'tag', celsius: 'celsius::DOUBLE', operator: 'operator' }
    },
    inputs: ['in']
  },
  { id: 'points', type: 'series', config: { source, time: 'time', tag: 'tag', value: 'celsius' }, inputs: ['typed'] },
  { id: 'rows', type: 'object', config: { bucket: 'dirty', prefix: 'out/', format: 'parquet' }, inputs: ['typed'] }
]

/** Sums of the same numbers in another order may differ in their last digits. */
const rounded = (sums: DirtyFile['series']) =>
  [...sums].map(([tag, { count, sum }]) => `${tag} ${count} ${sum.toFixed(3)}`).sort()
