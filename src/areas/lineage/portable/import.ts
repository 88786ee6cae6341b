import { sql } from 'kysely'
import { type Db, slices } from '../../../engines/metadata/index.ts'
import type { Claims } from '../claims/claims.ts'
import type { Telling } from '../claims/telling.ts'
import { addNames } from '../names/names.ts'
import type { DatedFacts } from '../nodes/facts.ts'
import { saveNodes } from '../nodes/store.ts'
import { nodeKey } from '../references.ts'
import type { LineOf, LineType } from './lines.ts'
import { addLink } from './link-import.ts'

export interface Numbered<T extends LineType = LineType> {
  readonly number: number
  readonly line: LineOf<T>
}

export interface Refused {
  readonly line: number
  readonly message: string
}

/**
 * Takes in lines in a transaction, and answers those that can't be. Lines that were taken before change nothing. What others
 * build on comes first, as in a whole file.
 */
export async function takeLines(tx: Db, claims: Claims, lines: readonly Numbered[]): Promise<Refused[]> {
  const byType = Map.groupBy(lines, ({ line }) => line.type)
  const refused: Refused[] = []
  for (const [type, take] of Object.entries(TAKE)) {
    const some = byType.get(type as LineType)
    if (some !== undefined) refused.push(...(await take(tx, some as never, claims)))
  }
  return refused
}

type Take<T extends LineType> = (tx: Db, lines: readonly Numbered<T>[], claims: Claims) => Promise<Refused[]>

const TAKE: { readonly [T in LineType]: Take<T> } = {
  node: takeNodes,
  job: takeJobs,
  past: takePast,
  runs: takeRuns,
  names: takeNames,
  link: takeLinks
}

async function takeNodes(tx: Db, lines: readonly Numbered<'node'>[]): Promise<Refused[]> {
  await saveNodes(tx, new Map(lines.map(({ line }) => [line.reference, line.facts as DatedFacts])))
  return []
}

async function takeJobs(tx: Db, lines: readonly Numbered<'job'>[], claims: Claims): Promise<Refused[]> {
  await saveNodes(tx, new Map(lines.map(({ line }) => [line.job, {}])))
  for (const { line } of lines) {
    const { how, who, baseMs, runs, wholeRuns, wholeMs } = line
    await claims.addBase(tx, { job: nodeKey(line.job), how, who, baseMs }, { runs, wholeRuns, wholeMs })
  }
  return []
}

async function takePast(tx: Db, lines: readonly Numbered<'past'>[], claims: Claims): Promise<Refused[]> {
  const { known, refused } = await withKnownNodes(tx, lines, ({ fact }) => [fact])
  const jobs = Map.groupBy(known, ({ line }) => JSON.stringify([line.job, line.how, line.baseMs]))
  for (const some of jobs.values()) {
    const [{ line }] = some as [Numbered<'past'>]
    const past = some.map(({ line: { fact, startedMs, endedMs, seenMs, runs } }) => ({
      fact: JSON.stringify(fact),
      period: { startedMs, endedMs, seenMs, runs }
    }))
    const isTaken = await claims.addPast(tx, { job: nodeKey(line.job), how: line.how }, line.baseMs, past)
    if (!isTaken) refused.push(...some.map(({ number }) => ({ line: number, message: 'comes before that of its job' })))
  }
  return refused
}

async function takeRuns(tx: Db, lines: readonly Numbered<'runs'>[], claims: Claims): Promise<Refused[]> {
  const { known, refused } = await withKnownNodes(tx, lines, ({ facts }) => facts)
  await saveNodes(tx, new Map(known.map(({ line }) => [line.job, {}])))
  await claims.takeTold(
    tx,
    known.flatMap(({ line }) => tellingsOf(line))
  )
  return refused
}

/** A run as what was told of it: at its start, when it got its state, and when it had said everything. */
function tellingsOf({ job, how, who, facts, runs }: LineOf<'runs'>): Telling[] {
  const told = { job: nodeKey(job), how, who, facts: facts.map((fact) => JSON.stringify(fact)) }
  return runs.flatMap(({ id, startMs, wholeMs, state, stateMs, error, parent }) => {
    const times = new Set([startMs, stateMs, wholeMs ?? startMs])
    return [...times].map((timeMs): Telling => {
      const unsaid = { id, timeMs, isWhole: timeMs === wholeMs, ...(parent && { parent }) }
      if (timeMs !== stateMs) return { ...told, run: { ...unsaid, state: 'other' } }
      return { ...told, run: { ...unsaid, state, ...(error !== null && { error }) } }
    })
  })
}

async function takeNames(tx: Db, lines: readonly Numbered<'names'>[]): Promise<Refused[]> {
  const news = lines.map(({ line: { from, to, is, how, who, startedMs } }) => ({
    from,
    to,
    type: is,
    timeMs: startedMs,
    provenance: { how, who }
  }))
  await addNames(tx, news)
  return []
}

async function takeLinks(tx: Db, lines: readonly Numbered<'link'>[]): Promise<Refused[]> {
  await saveNodes(tx, new Map(lines.flatMap(({ line }) => [[line.from, {}] as const, [line.to, {}] as const])))
  const refused: Refused[] = []
  for (const { number, line } of lines) {
    const problem = await addLink(tx, line)
    if (problem !== undefined) refused.push({ line: number, message: problem })
  }
  return refused
}

/** Lines whose facts are about nodes that are there: a key tells nothing of its reference. */
async function withKnownNodes<T extends LineType>(
  tx: Db,
  lines: readonly Numbered<T>[],
  factsOf: (line: LineOf<T>) => readonly (readonly string[])[]
): Promise<{ known: Numbered<T>[]; refused: Refused[] }> {
  const keysOf = (line: LineOf<T>) =>
    factsOf(line).flatMap((fact) => (fact.length === 2 ? [fact[1] as string] : [fact[0] as string, fact[2] as string]))
  const there = new Set<string>()
  for (const keys of slices([...new Set(lines.flatMap(({ line }) => keysOf(line)))])) {
    const rows = await sql<{ key: string }>`select key from lineage_nodes where key in (${sql.join(keys)})`.execute(tx)
    for (const { key } of rows.rows) there.add(key)
  }
  const isKnown = ({ line }: Numbered<T>) => keysOf(line).every((key) => there.has(key))
  return {
    known: lines.filter(isKnown),
    refused: lines
      .filter((one) => !isKnown(one))
      .map(({ number }) => ({ line: number, message: 'names a node that no line before it has' }))
  }
}
