import type { Clock } from '../../engines/clock.ts'
import type { Precision, Series, WriteFormat, Written } from '../../engines/series/index.ts'
import type { Intake, Sent } from '../../http/intake.ts'
import { withSeries } from './series-problems.ts'

/** Lines pack to a fifth and less: so much of what was packed is taken for what may be sent. */
const UNPACKED_TIMES = 4

interface Needs {
  readonly clock: Clock
  readonly intake: Intake
  series(): Promise<Series>
}

export interface Write {
  readonly sourceId: string
  readonly format: WriteFormat
  readonly precision: Precision
}

/** Points on their way from requests into the engine. */
export class Writes {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Once this is answered, what was accepted is durable. */
  async write(sent: Sent, write: Write): Promise<Written> {
    const { clock, intake } = this.#needs
    const holder = sent.actor.id
    const keep = (body: Uint8Array<ArrayBuffer>) =>
      withSeries(async () => (await this.#needs.series()).write({ ...write, holder, body, nowMs: clock.now() }))
    return intake.take(sent, keep, UNPACKED_TIMES)
  }
}
