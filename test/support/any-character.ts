import fc from 'fast-check'

const SURROGATES = 0x800
const FIRST_SURROGATE = 0xd800

/**
 * Every character that Unicode can have, as the unit of `fc.string`. It is what `unit: 'binary'` gives, but that makes a
 * table of a million of them, which takes a second in each process.
 */
export const ANY_CHARACTER: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== text || !text.isWellFormed())
      throw new Error('No character')
    return code < FIRST_SURROGATE ? code : code - SURROGATES
  }
)

const encoded = fc.string({ unit: ANY_CHARACTER, maxLength: 12 }).map(encodeURIComponent)

/** Addresses of pages, as `fc.webUrl` makes them, which makes that table too. */
export const WEB_URL: fc.Arbitrary<string> = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.domain(),
    path: fc.array(encoded, { maxLength: 4 }),
    query: fc.option(encoded, { nil: undefined }),
    fragment: fc.option(encoded, { nil: undefined })
  })
  .map(({ scheme, host, path, query, fragment }) => {
    const end = `${query === undefined ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`
    return `${scheme}://${host}${path.map((part) => `/${part}`).join('')}${end}`
  })
