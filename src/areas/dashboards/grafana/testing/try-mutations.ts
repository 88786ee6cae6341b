import assert from 'node:assert/strict'
import { seeded } from '../../../../engines/seeded-random.ts'
import { fromGrafana } from '../import.ts'
import { DATA_SOURCES, grafanaDashboards } from './dashboards.ts'
import { mutated } from './mutate.ts'
import { requireSound } from './sound.ts'

/** Breaks each of the dashboards in turn, so many times together; a failure names the case. */
export function tryMutations(times: number, seed: number): void {
  const dashboards = grafanaDashboards()
  let taken = 0
  for (let round = 0; round < times; round++) {
    const { name, json } = dashboards[round % dashboards.length] as { name: string; json: unknown }
    const broken = mutated(json, seeded(seed * 1_000_003 + round))
    const before = JSON.stringify(broken)
    try {
      const imported = fromGrafana(broken, DATA_SOURCES)
      requireSound(imported)
      if ('content' in imported) taken += 1
    } catch (error) {
      throw new Error(`${name}, round ${round} of seed ${seed}`, { cause: error })
    }
    assert.equal(JSON.stringify(broken), before, 'the document was changed')
  }
  assert.ok(taken > times / 2, `only ${taken} of ${times} could be read at all`)
}
