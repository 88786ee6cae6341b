/**
 * Writes to the tags of an embedded engine and deletes them, each tag by itself, as fast as it goes, until it is killed. Says
 * on its output what it is about to do, and what was acknowledged. Arguments: the folder, the number of the first round.
 */
import { flushCompileCache } from 'node:module'
import { openDuckdb } from '../../../src/engines/series/duckdb/index.ts'
import { say } from '../say.ts'
import { ERASED_TAGS, POINTS_PER_ROUND, roundBody, SOURCE } from './rounds.ts'

const [folder = '', first = '0'] = process.argv.slice(2)
const sizes = { generationPoints: 2000, maxPointsInMemory: 40_000, idleMs: 5 }
const series = await openDuckdb({ folder, sizes, onFailure: (error) => console.error(error) })
flushCompileCache() // a killed process would leave no compiled code for the next
say('ready')

/** Three rounds of points, then a deletion, and so on; after each deletion a tag has the other type. */
async function work(tag: number): Promise<void> {
  for (let round = Number(first); ; round++) {
    if (round % 4 === 3) {
      say(`delete ${tag} ${round}`)
      await series.dropTag(SOURCE, `t${tag}`)
      say(`deleted ${tag} ${round}`)
      continue
    }
    const request = { sourceId: SOURCE, format: 'line', precision: 'ms', nowMs: 0 } as const
    say(`write ${tag} ${round}`)
    for (;;) {
      try {
        const { accepted, errors } = await series.write({ ...request, body: roundBody(tag, round) })
        if (accepted !== POINTS_PER_ROUND) throw new Error(`refused: ${errors[0]?.message}`)
        break
      } catch (error) {
        if ((error as { code?: string }).code !== 'busy') throw error
      }
    }
    say(`written ${tag} ${round}`)
  }
}

await Promise.all(Array.from({ length: ERASED_TAGS }, (_, tag) => work(tag)))
