import { createRequire } from 'node:module'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { compareAsJson } from '../engines/json-equal.ts'

/**
 * What compiles schemas is loaded with the first of them: it takes a tenth of the time to ready. At once and not as a promise,
 * because whoever has a value to check waits for nothing.
 */
const load = createRequire(import.meta.url)

interface Validators {
  readonly bodies: Ajv2020
  /** Find every fault rather than the first one. */
  readonly smallBodies: Ajv2020
  readonly texts: Ajv2020
}

let known: Validators | undefined

/**
 * Schemas are compiled when a route is first used: compiling hundreds at start would cost more than the rest of it.
 * Bodies are taken as they are; query and path values arrive as text and are converted first.
 */
export function validators(): Validators {
  if (known === undefined) {
    compareAsJson()
    known = {
      bodies: validator({ allErrors: false }),
      smallBodies: validator({ allErrors: true }),
      texts: validator({ allErrors: true, coerceTypes: true })
    }
  }
  return known
}

function validator(options: { allErrors: boolean; coerceTypes?: boolean }): Ajv2020 {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const { default: formats } = load('ajv-formats') as typeof import('ajv-formats')
  const ajv = new Ajv2020({
    ...options,
    useDefaults: false,
    strict: false,
    ownProperties: true,
    verbose: true,
    // Our schemas need no check against the meta-schema: a test does that, and compiling it takes longer than all of
    // ours.
    meta: false,
    validateSchema: false
  })
  formats.default(ajv)
  const { validate } = formats.default.get('date-time') as { validate(text: string): boolean }
  return ajv.addFormat(
    'date-time',
    (text: string) => text.length <= MAX_INSTANT_CHARS && validate(text) && isKept(text)
  )
}

const MAX_INSTANT_CHARS = 40
const YEAR_0_MS = Date.parse('0000-01-01T00:00:00.000Z')
const YEAR_9999_END_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** RFC 3339 without leap seconds, which no `Date` holds, and within the years that sort as text. */
function isKept(text: string): boolean {
  const ms = Date.parse(text)
  return ms >= YEAR_0_MS && ms <= YEAR_9999_END_MS
}

export function serializerOf(schema: object): (value: unknown) => string {
  const build = load('fast-json-stringify') as typeof import('fast-json-stringify')
  return build(schema as Parameters<typeof build>[0])
}

/** To be called when there is time for it, so that the first request need not wait. */
export function loadSchemaLibraries(): void {
  validators()
  load('fast-json-stringify')
}
