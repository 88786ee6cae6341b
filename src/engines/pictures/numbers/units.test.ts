import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { valueText, valueTicks } from './units.ts'

/** Thin spaces are hard to see in a test. */
const plain = (text: string) => text.replaceAll('\u202f', ' ').replaceAll('\u2212', '-')
const shown = (...given: Parameters<typeof valueText>) => plain(valueText(...given))

describe('values with units', () => {
  it('are written with what fits them', () => {
    const cases: [Parameters<typeof valueText>, string][] = [
      [[0], '0'],
      [[21.456], '21.5'],
      [[1234], '1234'],
      [[12_345], '12 345'],
      [[-1_234_567], '-1.23M'],
      [[0.000123], '0.000123'],
      [[1e-9], '1e-9'],
      [[1e40], '1e40'],
      [[1536, 'bytes'], '1.5 KiB'],
      [[3 * 1024 ** 3, 'bytes/s'], '3 GiB/s'],
      [[2_500_000, 'bits/s'], '2.5 Mbit/s'],
      [[99.5, 'percent'], '99.5 %'],
      [[0.256, 'ratio'], '25.6 %'],
      [[21.5, '°C'], '21.5 °C'],
      [[1500, 'ms'], '1.5 s'],
      [[0.25, 's'], '250 ms'],
      [[7200, 's'], '2 h'],
      [[90, 'min'], '1.5 h'],
      [[1_250_000, 'EUR'], '1.25M EUR'],
      [[950, 'EUR'], '950 EUR'],
      [[4200, 'short'], '4.2k'],
      [[2.34567, undefined, 3], '2.346'],
      [[-0.0001, undefined, 1], '0.0'],
      [[Number.NaN], '–']
    ]
    for (const [given, expected] of cases) assert.equal(shown(...given), expected, String(given))
  })

  it('share one unit on an axis', () => {
    const texts = (...given: Parameters<typeof valueTicks>) => valueTicks(...given).map(({ text }) => plain(text))
    assert.deepEqual(texts({ from: 0, to: 4 * 1024 ** 2 }, 5, 'bytes'), ['0 B', '1 MiB', '2 MiB', '3 MiB', '4 MiB'])
    assert.deepEqual(texts({ from: 0, to: 60_000 }, 4), ['0', '20k', '40k', '60k'])
    assert.deepEqual(texts({ from: 0, to: 0.3 }, 4), ['0', '0.1', '0.2', '0.3'])
    assert.deepEqual(texts({ from: -20, to: 20 }, 3, '°C'), ['-20 °C', '0 °C', '20 °C'])
  })

  it('are short, and no two ticks of an axis read the same', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })
    const units = fc.constantFrom(undefined, 'short', 'bytes', 'ms', 'percent', 'EUR', 'ratio')
    fc.assert(
      fc.property(numbers, fc.double({ min: 1e-3, max: 1e12, noNaN: true }), units, (from, length, unit) => {
        const ticks = valueTicks({ from, to: from + length }, 6, unit)
        assert.equal(new Set(ticks.map(({ text }) => text)).size, ticks.length, ticks.map(({ text }) => text).join())
        for (const { text } of ticks) assert.ok(text.length <= 32 && !/NaN|Infinity/.test(text), text)
      })
    )
  })
})
