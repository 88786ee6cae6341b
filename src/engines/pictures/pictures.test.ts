import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { rendered } from './maker/render.ts'
import { PANEL_TYPES } from './picture.ts'
import { difference, pixelsOf } from './testing/compare.ts'
import { drawnExamples } from './testing/drawn.ts'
import { EXAMPLES } from './testing/examples.ts'
import { assertSound } from './testing/inspect.ts'

const FOLDER = join(import.meta.dirname, 'testing/kept')
const MAX_DIFFERENCE = 0.002
const MAX_KEPT_BYTES = 30_000
const HINT = 'if that is intended: node scripts/keep-pictures.ts, and look at what has changed'

describe('the pictures of the examples', () => {
  for (const { name, svg, scale } of drawnExamples()) {
    it(`are as they were kept: ${name}`, () => {
      assertSound(svg)
      assert.equal(svg, readFileSync(join(FOLDER, `${name}.svg`), 'utf8'), HINT)
      const kept = pixelsOf(readFileSync(join(FOLDER, `${name}.png`)))
      const part = difference(rendered(svg, scale), kept)
      assert.ok(part <= MAX_DIFFERENCE, `${(part * 100).toFixed(2)} % of the pixels differ; ${HINT}`)
    })
  }

  it('are of every type, and the kept files are small and all used', () => {
    assert.deepEqual(EXAMPLES.map(({ panel }) => panel.type).toSorted(), PANEL_TYPES.toSorted())
    const files = readdirSync(FOLDER)
    const expected = drawnExamples().flatMap(({ name }) => [`${name}.svg`, `${name}.png`])
    assert.deepEqual(files.toSorted(), expected.toSorted())
    for (const file of files) assert.ok(statSync(join(FOLDER, file)).size <= MAX_KEPT_BYTES, file)
  })

  it('would be told apart where a word is another', () => {
    const [first] = drawnExamples()
    const { svg = '', name = '' } = first ?? {}
    const other = rendered(svg.replaceAll('Temperature of', 'Pressure in'), 1)
    assert.ok(difference(other, pixelsOf(readFileSync(join(FOLDER, `${name}.png`)))) > MAX_DIFFERENCE)
  })
})
