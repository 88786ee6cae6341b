// Once: the embedded engine keeps points in files of its own, whatever keeps the metadata.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type DuckdbSeries, openDuckdb } from '../../src/engines/series/duckdb/index.ts'
import { valuesOf } from '../../src/engines/series/testing/asking.ts'
import { rowsOf } from '../../src/engines/series/testing/exported.ts'
import { ERASED_TAGS, isText, POINTS_PER_ROUND, SOURCE } from '../support/series/rounds.ts'
import { tries } from '../support/thorough.ts'

const KILLS = tries(15, 30)

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-deletion-crash-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** What is known of a tag: rounds that are there, rounds that may be, and whether a deletion of these is. */
interface Known {
  readonly written: Set<number>
  /** Begun and not answered. */
  pending: { readonly kind: 'write' | 'delete'; readonly round: number } | undefined
}

test(`after ${KILLS} times kill -9 between writes and deletions no deleted point is there, and every other`, async (t) => {
  const known = Array.from({ length: ERASED_TAGS }, (): Known => ({ written: new Set(), pending: undefined }))
  let next = 0
  let [deletions, inDoubt] = [0, 0]
  for (let kill = 0; kill < KILLS; kill++) {
    // From the first moments, when what the last crash left is being mended, to where files are rewritten all the time.
    const events = await eventsUntilKilled(next, kill % 3 === 0 ? 1 + kill : 60 + kill * 31)
    for (const { kind, tag, round } of events) {
      take(known[tag] as Known, kind, round)
      if (kind === 'deleted') deletions++
      next = Math.max(next, round)
    }
    inDoubt += known.filter(({ pending }) => pending?.kind === 'delete').length
    // The next rounds are those after a deletion, so that all tags take the type that they have.
    next = (Math.floor(next / 4) + 1) * 4
    await settle(known, next)
  }
  assert.ok(deletions > KILLS * 3 && inDoubt > KILLS / 6, `${deletions} deletions, ${inDoubt} cut off`)
  t.diagnostic(`${deletions} deletions, ${inDoubt} cut off`)
  await checkFiles(known)
})

interface Event {
  readonly kind: string
  readonly tag: number
  readonly round: number
}

function take(tag: Known, kind: string, round: number): void {
  if (kind === 'write' || kind === 'delete') {
    tag.pending = { kind, round }
    return
  }
  tag.pending = undefined
  if (kind === 'written') tag.written.add(round)
  else tag.written.clear()
}

/** Kills it once it has said so many lines more. */
async function eventsUntilKilled(first: number, lines: number): Promise<Event[]> {
  const eraser = join(import.meta.dirname, '../support/series/eraser.ts')
  const child = spawn(process.execPath, [eraser, folder, String(first)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  let failure = ''
  child.stderr.on('data', (piece) => {
    failure += piece
  })
  child.stdout.on('data', (piece) => {
    text += piece
    if (text.split('\n').length - 2 >= lines) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('close', (_code, ended) => resolve(ended)))
  assert.equal(signal, 'SIGKILL', `it ended by itself: ${failure}`)
  const whole = text.split('\n').slice(1, -1) // the last line may be cut off
  return whole.map((line) => {
    const [kind, tag, round] = line.split(' ') as [string, string, string]
    return { kind, tag: Number(tag), round: Number(round) }
  })
}

/** Finds out what became of what was cut off, checks all the rest, and deletes every tag before the rounds that follow. */
async function settle(known: readonly Known[], next: number): Promise<void> {
  const series = await openDuckdb({ folder, onFailure: (error) => assert.fail(error) })
  try {
    for (const [tag, facts] of known.entries()) {
      await checkTag(series, tag, facts)
      // Some stay, with the points that they have: the rounds that follow must be of their type then.
      const last = Math.max(-1, ...facts.written)
      if (last >= 0 && isText(last) === isText(next) && tag % 2 === 0) continue
      await series.dropTag(SOURCE, `t${tag}`)
      facts.written.clear()
    }
  } finally {
    await series.close()
  }
}

async function checkTag(series: DuckdbSeries, tag: number, facts: Known): Promise<void> {
  const found = Map.groupBy(await valuesOf(series, SOURCE, `t${tag}`), ([, value]) => Number(value))
  const { pending } = facts
  facts.pending = undefined
  for (const [round, points] of found)
    assert.equal(points.length, POINTS_PER_ROUND, `half of round ${round} of t${tag}`)
  if (pending?.kind === 'delete' && found.size === 0) facts.written.clear()
  if (pending?.kind === 'write' && found.has(pending.round)) facts.written.add(pending.round)
  assert.deepEqual([...found.keys()].sort(byNumber), [...facts.written].sort(byNumber), `rounds of t${tag}`)
}

const byNumber = (a: number, b: number) => a - b

/** Once all is in files, these hold what is known and nothing else, and statistics fit. */
async function checkFiles(known: readonly Known[]): Promise<void> {
  const series = await openDuckdb({ folder, onFailure: (error) => assert.fail(error) })
  await series.seal()
  const stats = (await series.stats([SOURCE])).get(SOURCE)
  await series.close()
  const files = readdirSync(folder, { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => path.endsWith('.parquet'))
  const rows = await rowsOf({ files })
  const rounds = Map.groupBy(rows, ([tag]) => tag as string)
  for (const [tag, { written }] of known.entries()) {
    const found = new Set((rounds.get(`t${tag}`) ?? []).map(([, , value, text]) => Number(text ?? value)))
    assert.deepEqual([...found].sort(byNumber), [...written].sort(byNumber), `rounds of t${tag} in files`)
  }
  const points = known.reduce((sum, { written }) => sum + written.size * POINTS_PER_ROUND, 0)
  assert.deepEqual([rows.length, stats?.pointCount ?? 0], [points, points])
}
