import type { Clock } from '../../engines/clock.ts'
import type { Precision, Series, WriteFormat, WriteRequest, Written } from '../../engines/series/index.ts'
import type { Intake, Sent } from '../../http/intake.ts'
import { withSeries } from './series-problems.ts'

/** Lines usually pack to a fifth or less: a packed body may unpack to so many times the size that may be sent. */
const UNPACKED_TIMES = 4

/** No identifier of a source: points are judged as those of a source that has no tags yet. */
const NO_SOURCE = 'none'

type Taken = Pick<WriteRequest, 'holder' | 'nowMs'> & { readonly body: Uint8Array<ArrayBuffer> }

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

  /** Once this resolves, the accepted points are durable. */
  async write(sent: Sent, write: Write): Promise<Written> {
    return this.#take(sent, async (series, request) => series.write({ ...request, ...write }))
  }

  /** The same for a source that does not exist yet: it is made once a point is there that it can take. */
  async writeFirst(sent: Sent, how: Omit<Write, 'sourceId'>, make: () => Promise<string>): Promise<Written> {
    return this.#take(sent, async (series, request) => {
      // A copy, since the engine may take the memory of what it is given.
      const judged = await series.judge({ ...request, ...how, body: request.body.slice(), sourceId: NO_SOURCE })
      return judged.accepted === 0 ? judged : series.write({ ...request, ...how, sourceId: await make() })
    })
  }

  async #take(sent: Sent, write: (series: Series, request: Taken) => Promise<Written>): Promise<Written> {
    const { clock, intake, series } = this.#needs
    const holder = sent.actor.id
    const keep = (body: Uint8Array<ArrayBuffer>) =>
      withSeries(async () => write(await series(), { holder, body, nowMs: clock.now() }))
    return intake.take(sent, keep, UNPACKED_TIMES)
  }
}
