import { after, before, describe, test } from 'node:test'
import type { Series } from '../index.ts'
import { promisesOfAnswers } from './answers.ts'
import { promisesOfDeletion } from './deletion.ts'
import { promisesOfFunctions } from './functions.ts'
import { promisesOfHostileInput } from './hostile.ts'
import { promisesOfKeeping } from './keeping.ts'
import { promisesOfTags } from './tags.ts'
import { promisesOfWrites } from './writes.ts'

export interface SeriesUnderTest {
  /** Why the suite can't run here. */
  readonly missing: string | undefined
  start(): Promise<StartedSeries>
  /** Whether a replaced point is never counted beside the new one. */
  readonly isExactCount: boolean
}

export interface StartedSeries {
  readonly series: Series
  /** Ends the engine as a crash would, and opens it again; tests go on with the returned one. */
  restart?(): Promise<Series>
  stop(): Promise<void>
}

/** What the parts of the suite work with. */
export interface Given {
  series(): Series
  /** A source that nobody has written to. */
  newSource(): string
  readonly isExactCount: boolean
}

/** The tests that every time-series engine has to pass. */
export function seriesContract(name: string, { missing, start, isExactCount }: SeriesUnderTest): void {
  describe(`${name} keeps the promises of series`, { skip: missing ?? false }, () => {
    let started: StartedSeries
    let current: Series
    let sources = 0
    before(async () => {
      started = await start()
      current = started.series
    })
    after(async () => {
      await current?.close()
      await started?.stop()
    })
    const given: Given = { series: () => current, newSource: () => `source-${sources++}`, isExactCount }

    promisesOfWrites(given)
    promisesOfHostileInput(given)
    promisesOfFunctions(given)
    promisesOfAnswers(given)
    promisesOfTags(given)
    const restart = async () => {
      if (started.restart === undefined) return false
      current = await started.restart()
      return true
    }
    promisesOfKeeping(given, restart)
    promisesOfDeletion(given, restart)

    test('it is well until it is closed', async () => {
      await current.check()
    })
  })
}
