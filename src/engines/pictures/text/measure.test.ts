import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Resvg } from '@resvg/resvg-js'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { fontFiles } from '../maker/fonts.ts'
import { rendered } from '../maker/render.ts'
import { cut, textWidth, wrap } from './measure.ts'

describe('the width of a text', () => {
  it('is the one that it is drawn with', () => {
    const font = { loadSystemFonts: false, fontFiles: fontFiles(), defaultFontFamily: 'Inter' }
    for (const [weight, number] of [
      ['regular', 400],
      ['bold', 600]
    ] as const) {
      for (const text of ['Temperature of the furnaces', '1 234 567.89 °C', 'Größe Ελληνικά Русский', 'שלום עולם']) {
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="60"><text x="10" y="40" font-family="Inter" font-size="20" font-weight="${number}">${text}</text></svg>`
        const drawn = new Resvg(svg, { font }).getBBox()?.width ?? 0
        const measured = textWidth(text, 20, weight)
        assert.ok(Math.abs(drawn - measured) < measured * 0.04 + 3, `${text}: ${measured}, drawn ${drawn}`)
      }
    }
  })
})

describe('a letter that no font of ours has', () => {
  it('is drawn as a box, and never left out', () => {
    for (const letter of ['炉', 'カ', '한', 'ह', 'ไ', '🔥']) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><text x="5" y="30" font-size="20">${letter}</text></svg>`
      const { pixels } = rendered(svg, 1)
      assert.ok(pixels.filter((byte) => byte > 0).length > 20, letter)
    }
  })
})

describe('a text that is too long', () => {
  it('is cut', () => {
    assert.equal(cut('short', 100, 12), 'short')
    assert.equal(cut('a rather long label', 60, 12), 'a rather…')
    assert.equal(cut('anything', 2, 12), '')
    assert.equal(cut('with\u0000control\u202echaracters\ud800', 1000, 12), 'with control characters\ufffd')
    // The mark keeps the dots at the end of what is read from right to left.
    assert.ok(cut('טמפרטורה של התנורים באולם', 80, 12).endsWith('…\u200f'))
  })

  it('fits then, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: ANY_CHARACTER, maxLength: 300 }),
        fc.double({ min: 0, max: 400, noNaN: true }),
        (text, room) => {
          assert.ok(textWidth(cut(text, room, 12), 12) <= room + 0.001)
          for (const line of wrap(text, room, 12, 3)) assert.ok(textWidth(line, 12) <= room + 0.001)
        }
      )
    )
  })

  it('is wrapped into at most so many lines', () => {
    assert.deepEqual(wrap('The source can not be reached', 90, 12, 5), ['The source can', 'not be reached'])
    assert.deepEqual(wrap('The source can not be reached', 90, 12, 1), ['The source c…'])
  })
})
