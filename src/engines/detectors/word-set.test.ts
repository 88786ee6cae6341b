import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { WordSet } from './word-set.ts'

const letter = fc.constantFrom('a', 'A', 'b', 'é', 'É', 'e', 'ß', 'Ł', 'ł', '漢', '-', 'Ж', 'ж', 'й', 'Ή', 'η')
const word = fc.array(letter, { minLength: 1, maxLength: 4 }).map((letters) => letters.join(''))

/** What words are compared by, written in the plainest way. */
const FOLDS = {
  exact: (text: string) => text,
  caseless: (text: string) => text.toLowerCase(),
  plain: (text: string) =>
    text
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
} as const

describe('a set of words', () => {
  it('has the parts of texts that a list has', () => {
    for (const fold of ['exact', 'caseless', 'plain'] as const) {
      fc.assert(
        fc.property(
          fc.array(word, { minLength: 1, maxLength: 20 }),
          word,
          word,
          word,
          (words, before, text, behind) => {
            const isListed = words.some((one) => FOLDS[fold](one) === FOLDS[fold](text))
            const whole = `${before}${text}${behind}`
            const found = new WordSet(words, fold).has(whole, before.length, before.length + text.length)
            assert.equal(found, isListed, `${text} in ${words}, ${fold}`)
          }
        ),
        { seed: 1, numRuns: 300 }
      )
    }
  })

  it('has nothing that is empty', () => {
    assert.equal(new WordSet(['a'], 'exact').has('a', 0, 0), false)
    assert.equal(new WordSet(['a'], 'exact').has('a', 1, 0), false)
  })
})
