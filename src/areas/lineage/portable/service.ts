import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Performed } from '../../../http/route.ts'
import { toNdjson } from '../../../http/rows-export.ts'
import type { Claims } from '../claims/claims.ts'
import type { Above } from '../columns/lowering.ts'
import type { RequireEnds } from '../links/levels.ts'
import { everythingTold } from './export.ts'
import { type Numbered, type Refused, takeLines } from './import.ts'
import { type End, VERSION } from './lines.ts'
import { columnsAbove, linesAbove } from './lines-above.ts'
import { readLine, textLines } from './reader.ts'
import type { ImportResult } from './schema.ts'

const LINES_AT_ONCE = 200
const CHARS_AT_ONCE = 1024 * 1024
const MAX_TOLD = 100

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly claims: Claims
  readonly requireEnds: RequireEnds
  /** Who may see what. */
  classification(): Promise<Above>
}

/** The whole lineage as a file. */
export class Portable {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  export(): AsyncIterable<string> {
    const { metadata, clock } = this.#needs
    return toNdjson(everythingTold(metadata, clock.iso()))
  }

  /** Each batch of lines is a transaction: where it breaks off, what came before is there, and sending all again is safe. */
  async import(actor: Actor, pieces: AsyncIterable<Uint8Array>): Promise<Performed<ImportResult>> {
    const { clock, makeId } = this.#needs
    const tally = new Tally()
    let isBegun = false
    let batch: Numbered[] = []
    let chars = 0
    const flush = async () => {
      if (batch.length > 0) tally.add(batch.length, await this.#take(actor, batch))
      batch = []
      chars = 0
    }
    const whole = new Wholeness()
    for await (const { number, text } of textLines(pieces)) {
      if (!isBegun) requireHeader(text)
      if (text !== '') whole.sawLine(number)
      if (!isBegun || text === '') {
        isBegun = true
        continue
      }
      const read = readLine(number, text)
      if ('problem' in read) {
        tally.add(1, [{ line: number, message: read.problem }])
        continue
      }
      if ('end' in read) {
        whole.sawEnd(read.end)
        continue
      }
      if (batch.length >= LINES_AT_ONCE || chars >= CHARS_AT_ONCE) await flush()
      chars += read.chars
      batch.push(read)
    }
    await flush()
    if (!isBegun) requireHeader(undefined)
    tally.add(0, whole.faults())
    const answer = { id: makeId('lim'), importedAt: clock.iso(), ...tally.counts() }
    const { errors: _, ...after } = answer
    return { answer, changes: [{ type: 'lineage-import', id: answer.id, after }] }
  }

  async #take(actor: Actor, lines: readonly Numbered[]): Promise<Refused[]> {
    const { metadata, claims, requireEnds, classification } = this.#needs
    const refused = [
      ...(await linesAbove(metadata.db, requireEnds, actor, lines)),
      ...(await columnsAbove(metadata.db, classification, actor, lines))
    ]
    const numbers = new Set(refused.map(({ line }) => line))
    const others = lines.filter(({ number }) => !numbers.has(number))
    return [...refused, ...(await metadata.transaction((tx) => takeLines(tx, claims, others)))]
  }
}

class Tally {
  #accepted = 0
  #rejected = 0
  readonly #errors: Refused[] = []

  add(lines: number, refused: readonly Refused[]): void {
    this.#accepted += Math.max(0, lines - refused.length)
    this.#rejected += refused.length
    this.#errors.push(...refused.slice(0, MAX_TOLD - this.#errors.length))
  }

  counts(): Pick<ImportResult, 'accepted' | 'rejected' | 'errors'> {
    const errors = this.#errors.toSorted((a, b) => a.line - b.line)
    return { accepted: this.#accepted, rejected: this.#rejected, errors }
  }
}

/** Whether all of a file has come: one that was cut off between two lines reads like a whole one. */
class Wholeness {
  #lines = 0
  #last = 1
  #isWhole = false

  sawLine(number: number): void {
    this.#lines++
    this.#last = number
  }

  /** It counts the lines before it; others may have been added by hand. */
  sawEnd({ lines }: End): void {
    this.#isWhole = this.#lines > lines
  }

  faults(): Refused[] {
    const message =
      'is where the file ends, and lines are missing: no line of type end says that these are all. Take the backup again; what came is taken in, and a second import changes nothing of it'
    return this.#isWhole ? [] : [{ line: this.#last, message }]
  }
}

function requireHeader(text: string | undefined): void {
  let header: { type?: unknown; version?: unknown } | null = null
  try {
    header = JSON.parse(text ?? '')
  } catch {
    // What is not JSON is no header.
  }
  if (header?.type === 'lineage' && header.version === VERSION) return
  const detail =
    header?.type === 'lineage'
      ? `The file is of version ${JSON.stringify(header.version)}, and this server reads version ${VERSION}.`
      : 'The body must be a file that GET /api/lineage/backup gives: its first line has the type "lineage".'
  throw new Problem('invalid_request', { detail })
}
