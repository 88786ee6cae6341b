import type { Clock } from '../../../engines/clock.ts'
import type { OtherDialect, StatementLineage } from '../../../engines/sql-lineage/index.ts'
import { Problem } from '../errors.ts'
import { dataNameOf } from '../openlineage/naming.ts'
import type { Told } from '../openlineage/told.ts'
import type { Sighting } from '../sighting.ts'
import type { TableNames } from '../sql/names.ts'
import { sightingOf } from '../sql/sighting.ts'
import { EventNames } from './event-names.ts'
import type { EventResult } from './schema.ts'

type Dialect = 'duckdb' | OtherDialect
interface Statement {
  readonly sql: string
  readonly dialect: Dialect
  readonly signal: AbortSignal
}

/** Reads a statement outside of the server's own thread. */
export type ReadStatement = (statement: Statement, names: TableNames) => Promise<StatementLineage>

/** What the statements of one request may take together. */
const MAX_MS = 5000
const MAX_WARNINGS = 100

interface Needs {
  readonly clock: Clock
  readonly readStatement: ReadStatement
}

/**
 * The SQL in the events of one request: of a job that names what it writes and not from which columns, its statement tells
 * them. Whatever becomes of that, the event is taken in.
 */
export class StatementsIn {
  readonly warnings: EventResult['warnings'] = []
  readonly #needs: Needs
  #leftMs = MAX_MS

  constructor(needs: Needs) {
    this.#needs = needs
  }

  readonly warn = (position: number, message: string): void => {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push({ position, message })
  }

  /** Only of runs that say all that they read and write: what was seen of others may not even have happened. */
  isIn({ statement, sightings }: Told): boolean {
    const [sighting] = sightings
    if (statement === undefined || sighting?.run.isWhole !== true) return false
    return sighting.outputs.length > 0 && sighting.columns.length === 0
  }

  /** What the event tells, with what its statement does. */
  async readIn(told: Told, position: number): Promise<Told> {
    const warn = (message: string) => this.warn(position, message)
    const [sighting] = told.sightings as [Sighting]
    const { query: sql, dialect: said } = told.statement as NonNullable<Told['statement']>
    const dialect = dialectOf(said, sighting)
    if (dialect === undefined) {
      warn(`The SQL was not read: only that of ${Object.keys(DIALECTS).join(', ')} is, as dialect or namespace say.`)
      return told
    }
    const names = new EventNames(sighting)
    const read = await this.#read({ sql, dialect, signal: NEVER }, names, warn)
    if (read === undefined) return told
    for (const { what } of read.notUnderstood) warn(what)
    if (names.targetOf(read.writes) === null) {
      warn(`The SQL writes ${read.writes ?? 'nothing'}, and the event has no such output.`)
      return told
    }
    const parsed = sightingOf(read, names, {
      job: sighting.job.reference,
      run: sighting.run,
      who: sighting.provenance.who
    })
    for (const what of parsed.leftOut) warn(what)
    return parsed.sighting === undefined ? told : { ...told, sightings: [...told.sightings, parsed.sighting] }
  }

  async #read(statement: Statement, names: TableNames, warn: (message: string) => void) {
    if (this.#leftMs <= 0) {
      warn(`The SQL was not read: that of the events before has taken ${MAX_MS} ms. Send fewer at a time.`)
      return undefined
    }
    const { clock, readStatement } = this.#needs
    const startedMs = clock.elapsed()
    try {
      return await readStatement(statement, names)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      warn(`The SQL was not read: ${error.detail}`)
      return undefined
    } finally {
      this.#leftMs -= clock.elapsed() - startedMs
    }
  }
}

/** Reading has limits of its own. */
const NEVER = new AbortController().signal

/** By what the event calls the dialect, or by how the namespace of its data begins. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  redshift: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  bigquery: 'bigquery',
  duckdb: 'duckdb'
}

function dialectOf(said: string | undefined, { outputs, inputs }: Sighting): Dialect | undefined {
  const namespaces = [...outputs, ...inputs].map(({ reference }) => dataNameOf(reference)?.namespace ?? '')
  const words = said === undefined ? namespaces.map((namespace) => namespace.split(':', 1)[0] as string) : [said]
  const known = words.map((word) => word.toLowerCase()).find((word) => Object.hasOwn(DIALECTS, word))
  return known === undefined ? undefined : DIALECTS[known]
}
