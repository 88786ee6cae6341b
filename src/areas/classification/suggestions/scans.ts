import type { DataPlane } from '../../../data/plane.ts'
import type { Clock } from '../../../engines/clock.ts'
import { type Suggestion as Found, LEAST_CONFIDENCE, wordsOf } from '../../../engines/detectors/index.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { Change } from '../../../http/changes.ts'
import type { Outcome } from '../../../http/route.ts'
import { firstStamps, nextStamps } from '../../../http/rows.ts'
import type { ScanRow, SuggestionRow } from '../migrations.ts'
import { Feedback } from './feedback.ts'
import { lookAt, type Sampled, type SampleOrder } from './sample.ts'
import type { ScanAnswer } from './schema.ts'
import * as store from './store.ts'
import { toScan, toSuggestion } from './view.ts'

interface Needs {
  readonly plane: Pick<DataPlane, 'query'>
  readonly clock: Clock
  readonly makeId: MakeId
}

export interface ScanFacts {
  readonly resource: string
  readonly cause: ScanRow['cause']
}

/** Why data could not be read. */
export interface ScanError {
  readonly code: string
  readonly message: string
}

type Row = Pick<ScanRow, 'rows_read' | 'columns_read' | 'columns_left_out' | 'error_code' | 'error_message'>

/** Looks at data, and keeps what it finds in them. */
export class Scans {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Outside of any transaction; what it answers is for `keep`. */
  look(order: SampleOrder): Promise<Sampled> {
    return lookAt(this.#needs.plane, order)
  }

  /**
   * What was found becomes suggestions. What somebody has decided stays as it is; what is open is brought up to date, and
   * taken back where it was not found again.
   */
  async keep(tx: Db, facts: ScanFacts, sampled: Sampled): Promise<Outcome<ScanAnswer>> {
    const { columns, rowsRead, columnsLeftOut } = sampled
    const scan = await this.#write(tx, facts, {
      rows_read: rowsRead,
      columns_read: columns.length,
      columns_left_out: columnsLeftOut,
      error_code: null,
      error_message: null
    })
    const before = await store.lockSuggestionsOf(tx, facts.resource)
    const known = new Map(before.map((row) => [keyOf(row.column_name, row.kind), row]))
    const wanted = await this.#wanted(tx, facts.resource, sampled)
    const changes: Change[] = [scan.change]
    const open: SuggestionRow[] = []
    for (const row of wanted) {
      const key = keyOf(row.column_name, row.kind)
      const old = known.get(key)
      known.delete(key)
      if (old !== undefined && old.status !== 'open') continue
      const { now, change } = await this.#suggest(tx, old, row)
      open.push(now)
      if (change !== undefined) changes.push(change)
    }
    // An empty sample says nothing about what is in the data at other times.
    const gone = rowsRead === 0 ? [] : [...known.values()].filter(({ status }) => status === 'open')
    for (const row of gone) {
      await store.deleteSuggestion(tx, row.id)
      changes.push({ type: 'classification-suggestion', id: row.id, before: toSuggestion(row) })
    }
    const suggestions = open.sort((a, b) => b.confidence - a.confidence).map(toSuggestion)
    const answer = { scan: toScan(scan.row), suggestions, withdrawn: gone.length }
    return { answer, changes: changes as [Change, ...Change[]] }
  }

  /** That data could not be read, and why. */
  async keepFailure(tx: Db, facts: ScanFacts, { code, message }: ScanError): Promise<Outcome<null>> {
    const none = { rows_read: 0, columns_read: 0, columns_left_out: 0 }
    const { change } = await this.#write(tx, facts, { ...none, error_code: code, error_message: message })
    return { answer: null, changes: [change] }
  }

  async #write(tx: Db, { resource, cause }: ScanFacts, result: Row): Promise<{ row: ScanRow; change: Change }> {
    const { clock, makeId } = this.#needs
    const first = { id: makeId('csc'), resource, cause, ...result, ...firstStamps(clock) }
    if ((await store.lockScan(tx, resource)) === undefined && (await store.insertScan(tx, first))) {
      return { row: first, change: { type: 'classification-scan', id: first.id, after: toScan(first) } }
    }
    const before = (await store.lockScan(tx, resource)) as ScanRow
    const row = { ...before, cause, ...result, ...nextStamps(before, clock) }
    await store.updateScan(tx, row)
    return { row, change: { type: 'classification-scan', id: row.id, before: toScan(before), after: toScan(row) } }
  }

  /** What is to be suggested, by the kinds that are enabled and what people have decided before. */
  async #wanted(tx: Db, resource: string, { columns }: Sampled): Promise<SuggestionRow[]> {
    const { clock, makeId } = this.#needs
    const kinds = new Map((await store.listKinds(tx)).map((row) => [row.kind, row]))
    const named = columns
      .filter(({ suggestions }) => suggestions.length > 0)
      .map(({ name, suggestions }) => ({ name, words: wordsIn(name), suggestions }))
    const feedback = new Feedback(await store.countDecisions(tx, [...new Set(named.map(({ words }) => words))]))
    return named.flatMap(({ name, words, suggestions }) =>
      suggestions.flatMap(({ kind, confidence, evidence }: Found): SuggestionRow[] => {
        const settings = kinds.get(kind)
        const lowered = feedback.lowered(confidence, words, kind)
        if (settings?.enabled !== 1 || lowered < LEAST_CONFIDENCE) return []
        return [
          {
            id: makeId('csg'),
            resource,
            column_name: name,
            column_words: words,
            kind,
            level: settings.level,
            confidence: Math.round(lowered * 1000),
            evidence: JSON.stringify(evidence),
            status: 'open',
            decided_by: null,
            decided_at: null,
            note: '',
            ...firstStamps(clock)
          }
        ]
      })
    )
  }

  async #suggest(tx: Db, old: SuggestionRow | undefined, row: SuggestionRow) {
    if (old === undefined) {
      await store.insertSuggestion(tx, row)
      const change: Change = { type: 'classification-suggestion', id: row.id, after: toSuggestion(row) }
      return { now: row, change }
    }
    const { confidence, evidence } = row
    if (old.confidence === confidence && old.evidence === evidence) return { now: old }
    const now = { ...old, confidence, evidence, ...nextStamps(old, this.#needs.clock) }
    await store.updateSuggestion(tx, now)
    const change: Change = {
      type: 'classification-suggestion',
      id: old.id,
      before: toSuggestion(old),
      after: toSuggestion(now)
    }
    return { now, change }
  }
}

const keyOf = (column: string, kind: string) => `${kind} ${column}`

/** What names have to have in common for decisions about one to count for another: their words, and their numbers. */
const wordsIn = (name: string) => [...wordsOf(name), ...(name.match(/\d+/g) ?? [])].join(' ') || name
