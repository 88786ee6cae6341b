import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Effort } from '../../effort.ts'
import { avro } from '../index.ts'
import { STEPS } from './compatibility.ts'
import { schemas } from './pairs.ts'

/** That a schema which became a shape and a schema again reads and is read, but where something was said to be lost. */
export function checkRoundTrips(numRuns: number): void {
  let lossless = 0
  const effort = () => new Effort(STEPS)
  const property = fc.property(schemas, ({ model }) => {
    const shape = avro.toShape(model, effort())
    const back = avro.fromShape(shape.result)
    const again = avro.parse({ text: back.result, dependencies: [] }, effort()).model
    const lost = [...shape.lost, ...back.lost].map(({ path }) => placeOf(path))
    if (lost.length === 0) lossless++
    for (const differences of [avro.differences(model, again, effort()), avro.differences(again, model, effort())]) {
      const unsaid = differences.filter(
        ({ rule, path }) => rule.breaks && !lost.some((place) => path.startsWith(place))
      )
      assert.deepEqual(
        unsaid.map(({ path, rule }) => `${path} ${rule.code}`),
        []
      )
    }
  })
  fc.assert(property, { numRuns })
  assert.ok(lossless > numRuns / 5, `only ${lossless} without a loss`)
}

/** A branch that lost something is another one to its union: both are differences there. */
function placeOf(path: string): string {
  const isBranch = !/(^|\/)(type|items|values|fields\/[^/]+)$/.test(path)
  return isBranch ? path.slice(0, Math.max(path.lastIndexOf('/'), 0)) : path
}
