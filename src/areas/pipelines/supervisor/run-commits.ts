import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { columnsOf, type LineageTeller } from '../lineage/sightings.ts'
import { type Checkpoint, type Commit, type DeadLetter, filesOf } from '../protocol/checkpoint.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { RunSpec } from '../protocol/run-spec.ts'
import { ConnectorReads } from './connector-reads.ts'
import type { HeldRun } from './held-run.ts'
import { LetterBook } from './letter-book.ts'
import { insertLetters } from './letter-rows.ts'
import * as runs from './runs.ts'
import type { Totals } from './totals.ts'
import type { Troubles } from './troubles.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly totals: Totals
  readonly lineage: LineageTeller
  /** See `levels.ts`. */
  requireLevels(): Promise<void>
  /** What is run, once that is known. */
  nodes(): readonly PipelineNode[]
  connectorWorks(connectorId: string): Promise<void>
}

/** What a run has committed: where it would go on, what it has counted, and its dead letters. */
export class RunCommits {
  readonly #run: HeldRun
  readonly #troubles: Troubles
  readonly #needs: Needs
  readonly #book: LetterBook
  readonly #reads: ConnectorReads
  #checkpoint: Checkpoint | null = null
  #figures: Pick<RunFigures, 'ledger' | 'nodes'>

  constructor(run: HeldRun, troubles: Troubles, needs: Needs) {
    this.#run = run
    this.#troubles = troubles
    this.#needs = needs
    this.#book = new LetterBook(run.held, needs)
    this.#reads = new ConnectorReads(needs)
    this.#figures = { ledger: JSON.parse(run.row.ledger), nodes: JSON.parse(run.row.nodes) }
  }

  get checkpoint(): Checkpoint | null {
    return this.#checkpoint
  }

  get figures(): Pick<RunFigures, 'ledger' | 'nodes'> {
    return this.#figures
  }

  /** From where it goes on: where it was interrupted, or where the run before it ended. */
  async open(): Promise<Pick<RunSpec, 'checkpoint' | 'counted'>> {
    const { runId, pipelineId } = this.#run.held
    const row = await runs.findCheckpoint(this.#needs.metadata.db, pipelineId)
    this.#checkpoint = row === undefined ? null : (JSON.parse(row.checkpoint) as Checkpoint)
    await this.#book.open()
    await this.#needs.requireLevels()
    return { checkpoint: this.#checkpoint, counted: row?.run_id === runId ? this.#figures : null }
  }

  /** `isOver`: what was told of as a trouble is none any more. `obsolete`: kept files that nothing needs now. */
  async commit(commit: Commit): Promise<{ isOver: boolean; obsolete: readonly string[] }> {
    const { clock, totals } = this.#needs
    const { checkpoint, ledger, nodes, deadLetters, replayed, lineage } = commit
    const { held } = this.#run
    const rows = await this.#book.rowsOf(deadLetters)
    const isOver = JSON.stringify(ledger) !== JSON.stringify(this.#figures.ledger) && this.#troubles.clear()
    const change = {
      ledger: JSON.stringify(ledger),
      nodes: JSON.stringify(nodes),
      failures: 0,
      ...(isOver && { error: null })
    }
    await this.#run.update(async (tx) => {
      await this.#run.change(tx, change)
      if (isOver) await runs.updateErrorOf(tx, held.runId, null)
      await runs.saveCheckpoint(tx, held, checkpoint, clock.iso())
      await this.#book.commit(tx, rows, replayed)
      if (lineage !== undefined) await this.#needs.lineage.saw(tx, [columnsOf(this.#run.seen(), lineage)])
    })
    this.#book.committed()
    this.#run.isAllKnown ||= lineage?.isWhole === true
    this.#run.failures = 0
    totals.committed(this.#figures.ledger, ledger)
    this.#reads.committed(this.#figures.nodes, nodes)
    if (isOver) this.#reads.getsOn()
    this.#figures = { ledger, nodes }
    const needed = new Set(filesOf(checkpoint))
    const obsolete = filesOf(this.#checkpoint).filter((name) => !needed.has(name))
    this.#checkpoint = checkpoint
    if (lineage !== undefined) await this.#needs.requireLevels()
    return { isOver, obsolete }
  }

  /** It has come to its end, or has got over its trouble. */
  getsOn(): void {
    this.#reads.getsOn()
  }

  /** Dead letters of the next commit. */
  async stage(letters: readonly DeadLetter[]): Promise<void> {
    const rows = await this.#book.rowsOf(letters)
    await this.#run.update(async (tx) => {
      await this.#run.change(tx, { fence: this.#run.held.fence })
      await insertLetters(tx, rows)
    })
    this.#book.staged(rows)
  }
}
