import assert from 'node:assert/strict'
import fc from 'fast-check'
import { breaks, compare, modelOf } from './parsing.ts'
import { pairs, textOf } from './specs.ts'
import { decode, encode, lossesOf, valuesFor } from './wire.ts'

/** Whatever is said not to break loses nothing; many pairs must have been said so, or nothing was tested. */
export function checkSoundness(numRuns: number): void {
  let compatible = 0
  const property = fc.property(pairs.chain(withValue), ({ before, after, texts, value }) => {
    if (breaks(compare(modelOf(texts[0]), modelOf(texts[1])))) return
    compatible++
    const losses = lossesOf(before, after, value, decode(texts[1], encode(texts[0], value)))
    assert.deepEqual(losses, [], `${texts.join('\n\n')}\n${JSON.stringify(value)}`)
  })
  fc.assert(property, { numRuns })
  assert.ok(compatible > numRuns / 10, `only ${compatible} of ${numRuns} pairs were compatible`)
}

function withValue(pair: typeof pairs extends fc.Arbitrary<infer Pair> ? Pair : never) {
  const { before, after, syntax } = pair
  const texts = [textOf(before, syntax), textOf(after, syntax)] as const
  return valuesFor(before, after).map((value) => ({ before, after, texts, value }))
}
