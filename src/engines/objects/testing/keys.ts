import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'

/** Keys at which stores, clients and file systems are known to stumble. */
export const NOTABLE_KEYS: readonly string[] = [
  ' ',
  ' leading and trailing ',
  '!',
  '#fragment',
  '%',
  '%2F',
  '%zz',
  '+',
  '.hidden',
  '/',
  '/leading',
  '//twice',
  '?query=1&b=2',
  'A',
  'a',
  'a ',
  'a b+c%20d',
  'a"b\'c`d',
  'a..b',
  'a/',
  'a//b',
  'a/b',
  'a/b/',
  'a:b*c<d>e|f',
  'a;b=c,d',
  'con',
  'x'.repeat(1024),
  'ü'.repeat(512),
  '中文/日本語',
  'e\u0301', // not the same as the next one
  '\u00e9',
  '\u200b',
  '\u2028',
  '\ud83d\ude80/\ud83c\udf0a',
  '\u{10ffff}',
  '[brackets]{braces}',
  '~$^@()',
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  '&amp;&lt;'
]

const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...'aB0/._- +%?#&=\\"\'<>:;,*|~^`@!$()[]{}') },
  { weight: 3, arbitrary: fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) }
)

/** Any Unicode text of 1 to 1,024 bytes, with many characters that have a meaning somewhere. */
export const anyKey: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 8, arbitrary: fc.array(character, { minLength: 1, maxLength: 40 }) },
    { weight: 1, arbitrary: fc.array(character, { minLength: 200, maxLength: 400 }) }
  )
  .map((characters) => {
    let key = characters.join('')
    while (Buffer.byteLength(key) > 1024) key = key.slice(0, key.length >> 1)
    return key.toWellFormed()
  })
  .filter((key) => key !== '')
